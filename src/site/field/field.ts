import type { LeadField } from '../../lead/lead.ts';
import type { Words } from '../../lead/words.ts';
import type { Copy } from '../../facts/words.ts';

/** The properties of every kind of field. */
export interface FieldProps {
	field: LeadField;
	words: Words;
	language: string;
	copy: Copy;
	/** The value entered before. */
	value?: string | undefined;
	/** The error, in words. */
	error?: string | undefined;
}

/** Returns the hint under the label. A free text adds what not to write. */
export const hintOf = ({ field, words, copy }: FieldProps): string =>
	[words.hint, field.kind === 'textarea' && copy.caution].filter(Boolean).join(' ');

/** Returns the attributes of the field's element, for people and for the script. */
export function attributesOf(props: FieldProps) {
	const { name, autocomplete } = props.field;
	return {
		id: name,
		name,
		autocomplete,
		'aria-describedby': hintOf(props) ? `${name}-hint ${name}-error` : `${name}-error`,
		'aria-invalid': props.error === undefined ? undefined : ('true' as const),
	};
}
