import type { LeadField } from '../../lead/lead.ts';
import type { Words } from '../../lead/words.ts';
import type { Copy } from '../../service/copy.ts';

/** What each kind of field is shown from. */
export interface FieldProps {
	field: LeadField;
	words: Words;
	language: string;
	copy: Copy;
	/** What was entered before. */
	value?: string | undefined;
	/** What is wrong with it. */
	error?: string | undefined;
}

/** What stands under the label: of free text also what not to write. */
export const hintOf = ({ field, words, copy }: FieldProps): string =>
	[words.hint, field.kind === 'textarea' && copy.caution].filter(Boolean).join(' ');

/** What stands on the element that is the field, for people and for the script. */
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
