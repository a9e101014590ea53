import type { FieldKind } from '../lead/field.ts';
import { type LeadField, leadFields } from '../lead/lead.ts';

/** Returns the rules of a lead's member, to follow its name, such as `, required, at most 120 characters`. */
export const rulesOf = (field: LeadField): string => (field.required ? ', required' : '') + rules[field.kind](field);

/** Lists every member of a lead in Markdown. */
export const fieldList = (): string =>
	leadFields.map((field) => `- \`${field.name}\`${rulesOf(field)}${optionsOf(field)}: ${field.description}`).join('\n');

function optionsOf({ options }: LeadField): string {
	if (options === undefined) return '';
	return `, one of ${Object.entries(options)
		.map(([value, label]) => `\`${value}\` (${label})`)
		.join(', ')}`;
}

type Rule = (field: LeadField) => string;

const length: Rule = ({ maxLength }) => `, at most ${maxLength} characters`;
const none: Rule = () => '';
const on: Rule = () => ', with the value "on"';

/** The rules by kind of field. Texts for people name the options of a choice themselves. */
const rules = {
	text: length,
	email: length,
	tel: length,
	textarea: length,
	number: ({ min, max }) => `, a whole number from ${min} to ${max}`,
	select: none,
	radios: none,
	checkbox: on,
	consent: on,
	hidden: length,
	honeypot: none,
} satisfies Record<FieldKind, Rule>;
