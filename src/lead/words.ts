import { ContentError } from '../service/content-error.ts';
import type { Copy } from '../service/copy.ts';
import { copyIn, defaultLanguage } from '../service/load.ts';
import { told } from '../service/mistake.ts';
import type { LeadField } from './lead.ts';

export interface Words {
	label: string;
	hint: string | undefined;
	/** Of a choice. */
	options: { value: string; label: string }[];
}

/**
 * A field as a visitor reads of it. In English the words of the field itself serve where `content/contact/en.yaml` has none.
 *
 * @param copy the words of the page, where they are not simply those of the language
 * @throws {ContentError} the page in another language lacks a word
 */
export function wordsOf(
	{ name, kind, label, options = {} }: LeadField,
	language: string,
	copy: Pick<Copy, 'fields'> = copyIn(language),
): Words {
	const own = copy.fields[name];
	const inLanguage = (member: string, given: string | undefined, english: string) => {
		if (given !== undefined) return given;
		if (language === defaultLanguage || kind === 'hidden') return english;
		const mistake = { field: `fields.${name}.${member}`, found: 'nothing', wanted: `what is in English “${english}”` };
		throw new ContentError([told(`content/contact/${language}.yaml`, mistake)]);
	};
	return {
		label: inLanguage('label', own?.label, label),
		hint: own?.hint,
		options: Object.entries(options).map(([value, english]) => ({
			value,
			label: inLanguage(`options.${value}`, own?.options?.[value], english),
		})),
	};
}
