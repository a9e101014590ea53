import type { Copy } from '../facts/words.ts';
import { copyIn, wordsIn } from '../facts/load.ts';
import type { LeadField } from './lead.ts';

/** Returns the words of the contact page. For a request for API access, its own words replace the general ones. */
export function contactCopy(language: string, accessRequest: boolean): Copy {
	const copy = copyIn(language);
	if (!accessRequest) return copy;
	const { title, description, introduction, fields } = copy.accessRequest;
	return { ...copy, title, description, introduction, fields: { ...copy.fields, ...fields } };
}

interface Words {
	label: string;
	hint: string | undefined;
	/** For a choice. */
	options: { value: string; label: string }[];
}

/**
 * Returns a field's words for visitors. The field's own words serve if `contact.yaml` has none, which is allowed in English.
 *
 * @param copy the words of the page, if they differ from those of the language
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

/** Returns a field's short name, for the sales team. */
export const nameOf = (field: LeadField, language: string): string =>
	wordsIn(language).fieldNames[field.name] ?? wordsOf(field, language).label;
