import type { Copy } from '../facts/copy.ts';
import { copyIn, wordsIn } from '../facts/load.ts';
import type { LeadField } from './lead.ts';

/** The words of the contact page; where it takes a request for API access, with its own in the places of the others. */
export function contactCopy(language: string, accessRequest: boolean): Copy {
	const copy = copyIn(language);
	if (!accessRequest) return copy;
	const { title, description, introduction, fields } = copy.accessRequest;
	return { ...copy, title, description, introduction, fields: { ...copy.fields, ...fields } };
}

export interface Words {
	label: string;
	hint: string | undefined;
	/** Of a choice. */
	options: { value: string; label: string }[];
}

/**
 * A field as a visitor reads of it. The words of the field itself serve where `contact.yaml` has none, as it may in English.
 *
 * @param copy the words of the page, where they are not simply those of the language
 */
export function wordsOf(
	{ name, label, options = {} }: LeadField,
	language: string,
	copy: Pick<Copy, 'fields'> = copyIn(language),
): Words {
	const own = copy.fields[name];
	return {
		label: own?.label ?? label,
		hint: own?.hint,
		options: Object.entries(options).map(([value, english]) => ({ value, label: own?.options?.[value] ?? english })),
	};
}

/** A field in a word, as the sales team reads of it. */
export const nameOf = (field: LeadField, language: string): string =>
	wordsIn(language).fieldNames[field.name] ?? wordsOf(field, language).label;
