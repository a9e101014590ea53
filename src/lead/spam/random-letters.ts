import type { Signal } from './signal.ts';

/**
 * Words such as `XkQzBvTrPlWs` in two or more fields: one where a capital follows a small letter three times, and another where it
 * does twice. One such word may be a brand.
 */
export const randomLetters: Signal = {
	name: 'random-letters',
	reason: {
		en: 'Several fields hold random letters.',
		de: 'Mehrere Felder enthalten zufällige Buchstaben.',
		es: 'Varios campos contienen letras al azar.',
		fr: 'Plusieurs champs contiennent des lettres au hasard.',
		pt: 'Vários campos têm letras ao acaso.',
		ar: 'في عدة حقول حروف عشوائية.',
	},
	look({ lead: { name, clinic, country, message } }) {
		const fields = [name, clinic, country, message].map(
			(text = '') => text.slice(0, 2000).replace(address, ' ').match(word) ?? [],
		);
		if (fields.flat().length === 0) return undefined;
		const found = fields.map((words) => words.filter((letters) => risesIn(letters) > 1));
		const sure = found.map((words) => words.find((letters) => risesIn(letters) > 2));
		return (
			sure.some((one, at) => one && found.some((words, other) => other !== at && words.some((letters) => letters !== one))) &&
			'strong'
		);
	},
	cases: [
		[{ name: 'XkQzBvTrPlWs', clinic: 'hGtRnMwQpLzXc', message: 'Hello' }, 'strong'],
		[{ name: 'XkQzBvTrPlWs', clinic: 'Dental Care', message: 'Hello' }, false],
		[{ clinic: 'OrthoKidsCarePro', message: 'OrthoKidsCarePro needs help.' }, false],
		[{ name: 'ALEXANDRA VON HOHENFELD', clinic: 'MVZ DentaCareXXL' }, false],
		[{ name: 'Ana', clinic: 'Sol', message: 'See https://sol.example/aBcDeFgHiJkL' }, undefined],
	],
};

const address = /https?:\/\/\S+/g;
const word = /[A-Za-z]{8,}/g;

/** Counts where a capital follows a small letter. Measured: brands and names of people have it twice at most, in no case three times. */
const risesIn = (letters: string) => letters.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
