import type { Signal } from './signal.ts';

const address = /https?:\/\/\S+/g;
const word = /[A-Za-z]{8,}/g;

/**
 * Random words, such as `XkQzBvTrPlWs`, in two or more fields: in one a capital follows a small letter three times or more, in another
 * twice or more. A single such word may be a brand.
 */
export const randomLetters: Signal = ({ name, clinic, country, message }) => {
	const fields = [name, clinic, country, message].map((text = '') => text.slice(0, 2000).replace(address, ' ').match(word) ?? []);
	if (fields.flat().length === 0) return undefined;
	const found = fields.map((words) => words.filter((letters) => countInnerCapitals(letters) > 1));
	const sure = found.map((words) => words.find((letters) => countInnerCapitals(letters) > 2));
	return (
		sure.some((one, at) => one && found.some((words, other) => other !== at && words.some((letters) => letters !== one))) &&
		'strong'
	);
};

/** Counts capitals behind a small letter. Names of brands and people in the sets in `tests/lead/spam` have two at most. */
const countInnerCapitals = (letters: string) => letters.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
