import type { FieldKind } from '../lead/field.ts';
import { type LeadField, leadFields } from '../lead/lead.ts';

/** What a member of a lead must be, in words that follow its name, such as `, required, at most 120 characters`. */
export const rulesOf = (field: LeadField): string => (field.required ? ', required' : '') + rules[field.kind](field);

/** Every member of a lead in a list of Markdown. */
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

/** The options of a choice are said in other words where people read them. */
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
