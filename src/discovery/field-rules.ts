import { type LeadField, leadFields } from '../lead/lead.ts';

/** Returns the rules of a lead's member, to follow its name, such as `, required, at most 120 characters`. */
function rulesOf({ kind, required, maxLength }: LeadField): string {
	const value = kind === 'consent' ? ', with the value "on"' : '';
	return (required ? ', required' : '') + (maxLength === undefined ? value : `, at most ${maxLength} characters`);
}

/** Lists every member of a lead in Markdown. */
export const fieldList = (): string =>
	leadFields.map((field) => `- \`${field.name}\`${rulesOf(field)}${optionsOf(field)}: ${field.description}`).join('\n');

function optionsOf({ options }: LeadField): string {
	if (options === undefined) return '';
	return `, one of ${Object.entries(options)
		.map(([value, label]) => `\`${value}\` (${label})`)
		.join(', ')}`;
}
