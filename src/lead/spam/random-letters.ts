import type { Signal } from './signal.ts';

/** Words such as `XkQzBvTrPlWs` in two or more fields. One such name may be a brand, or a person's. */
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
		const found = [name, clinic, country, message].map((text = '') => text.replace(address, ' ').match(word) ?? []);
		if (found.flat().length === 0) return undefined;
		return found.filter((words) => words.some(isRandom)).length > 1 && 'strong';
	},
	cases: [
		[{ name: 'XkQzBvTrPlWs', clinic: 'hGtRnMwQpLzXc', message: 'Hello' }, 'strong'],
		[{ name: 'XkQzBvTrPlWs', clinic: 'Dental Care', message: 'Hello' }, false],
		[{ name: 'ALEXANDRA VON HOHENFELD', clinic: 'MVZ DentaCareXXL' }, false],
		[{ name: 'Ana', clinic: 'Sol', message: 'See https://sol.example/aBcDeFgHiJkL' }, undefined],
	],
};

const address = /\S+:\/\/\S+/g;
const word = /[A-Za-z]{10,}/g;

/** In letters: text of people has longer runs of one case. Measured: below it are 6 of 7 published robots, and no person's name. */
const SHORTEST_MEAN = 2.1;

const isRandom = (letters: string) => letters.length / letters.match(/[a-z]+|[A-Z]+/g)!.length < SHORTEST_MEAN;
