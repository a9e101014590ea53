import * as z from 'zod';
import { cleanLine, cleanText } from './text.ts';

/** How the contact form asks for a field. */
export interface Control {
	kind: 'text' | 'email' | 'tel' | 'textarea' | 'consent' | 'hidden' | 'honeypot';
	/** WHATWG HTML, section 4.10.18.7 (autofill). */
	autocomplete?: string;
}

const controls = z.registry<Control>();

// A limit counts code points, as `maxLength` does in JSON Schema; `max()` of zod would count UTF-16 units.
const atMost = (max: number, clean: (value: string) => string) =>
	z
		.string()
		.overwrite(clean)
		.refine((value) => [...value].length <= max, { params: { tooLong: true } })
		.meta({ maxLength: max });
const line = (max: number) => atMost(max, cleanLine);
const lines = (max: number) => atMost(max, cleanText);
/** At least one character that can be seen. */
const visible = /\S/;

/**
 * One address, `local@domain`, and nothing that a mail header could read as more: no quoted local part, comment, address literal,
 * list or group (RFC 5322 section 3.4.1, RFC 6531).
 */
const oneAddress =
	/^[^\s@"(),:;<>[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}-]{2,}$/u;

/** A sales lead, as `POST /api/contact` takes it. Form, OpenAPI, messages and error codes all follow from here. */
export const leadSchema = z
	.object({
		name: line(120)
			.regex(visible)
			.meta({ title: 'Name', description: 'Who is asking.', examples: ['Ana Ruiz'], minLength: 1, maxLength: 120 })
			.register(controls, { kind: 'text', autocomplete: 'name' }),
		clinic: line(160)
			.regex(visible)
			.meta({ title: 'Clinic', description: 'The clinic or business.', examples: ['Clínica Sol'], minLength: 1, maxLength: 160 })
			.register(controls, { kind: 'text', autocomplete: 'organization' }),
		email: line(254)
			.regex(oneAddress)
			.meta({
				title: 'Email',
				description: 'One email address, to which we answer.',
				examples: ['ana@clinicasol.example'],
				format: 'email',
				maxLength: 254,
			})
			.register(controls, { kind: 'email', autocomplete: 'email' }),
		phone: line(40)
			.optional()
			.meta({ title: 'Phone', description: 'A phone number, in any notation.', examples: ['+34 600 123 456'] })
			.register(controls, { kind: 'tel', autocomplete: 'tel' }),
		country: line(80)
			.optional()
			.meta({ title: 'Country', description: 'Where the clinic is, as the visitor wrote it.', examples: ['Spain'] })
			.register(controls, { kind: 'text', autocomplete: 'country-name' }),
		message: lines(5000)
			.optional()
			.meta({
				title: 'Message',
				description: 'What the visitor would like to know. Several lines are kept. Never patients’ data.',
				examples: ['We miss about ten calls a day. Can you take them?'],
			})
			.register(controls, { kind: 'textarea' }),
		consent: z
			.literal('on')
			.meta({
				title: 'Consent',
				description: 'The literal `on`: a person has read the privacy notice and agrees.',
				examples: ['on'],
			})
			.register(controls, { kind: 'consent' }),
		lang: line(35)
			.optional()
			.meta({ title: 'Language', description: 'The visitor’s language, a BCP 47 tag.', examples: ['es'] })
			.register(controls, { kind: 'hidden' }),
		source: line(200)
			.optional()
			.meta({ title: 'Source', description: 'The page or campaign the lead comes from.', examples: ['/contact'] })
			.register(controls, { kind: 'hidden' }),
		website: z
			.literal('')
			.optional()
			.meta({
				title: 'Website',
				description: 'Leave it out or empty: it is there to catch programs that fill in every field.',
				examples: [''],
			})
			.register(controls, { kind: 'honeypot' }),
	})
	.meta({
		title: 'Lead',
		description: 'A sales lead. Text is trimmed before it is checked; members not named here are ignored.',
	});

export type Lead = z.output<typeof leadSchema>;
export type FieldName = keyof Lead;

export interface LeadField {
	name: FieldName;
	/** In English; the contact page has words of its own for each language. */
	title: string;
	required: boolean;
	/** In code points. */
	maxLength: number | undefined;
	control: Control;
}

/** The fields of a lead in their order, for whoever shows them all. */
export const leadFields: LeadField[] = Object.entries(leadSchema.shape).map(([name, schema]) => {
	const optional = schema instanceof z.ZodOptional;
	const { maxLength } = (optional ? schema.unwrap() : schema).meta() ?? {};
	return {
		name: name as FieldName,
		title: schema.meta()?.title ?? name,
		required: !optional,
		maxLength: maxLength as number | undefined,
		control: controls.get(schema) ?? { kind: 'text' },
	};
});
