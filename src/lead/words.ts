import type { Copy } from '../service/copy.ts';
import { copyIn } from '../service/load.ts';
import type { LeadField } from './lead.ts';

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
