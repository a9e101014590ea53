import * as z from 'zod';
import { isAddress, plainAddress } from './email-address.ts';
import { FAR_OVER, fits, isFarOver } from './length.ts';
import { cleanLine, cleanText, visible } from './text.ts';

/** How the contact form asks for a field. */
export interface Control {
	kind: 'text' | 'email' | 'tel' | 'textarea' | 'consent' | 'hidden' | 'honeypot';
	/** WHATWG HTML, section 4.10.18.7 (autofill). */
	autocomplete?: string;
}

const controls = z.registry<Control>();

/** Text within a limit in code points. What is far over it is refused as it is: cleaning takes time. */
const atMost = (max: number, clean: (value: string) => string) =>
	z
		.string()
		.overwrite((value) => (isFarOver(value, max) ? value : clean(value)))
		.refine((value) => fits(value, max), { abort: true, params: { tooLong: true } })
		.meta({ maxLength: max });
const line = (max: number) => atMost(max, cleanLine);
const lines = (max: number) => atMost(max, cleanText);

/** A sales lead, as `POST /api/contact` takes it. Form, OpenAPI, messages and error codes all follow from here. */
export const leadSchema = z
	.object({
		name: line(120)
			.regex(visible)
			.meta({
				title: 'Name',
				description: 'Who is asking, in characters that can be seen.',
				examples: ['Ana Ruiz'],
				minLength: 1,
				maxLength: 120,
			})
			.register(controls, { kind: 'text', autocomplete: 'name' }),
		clinic: line(160)
			.regex(visible)
			.meta({
				title: 'Clinic',
				description: 'The clinic or business, in characters that can be seen.',
				examples: ['Clínica Sol'],
				minLength: 1,
				maxLength: 160,
			})
			.register(controls, { kind: 'text', autocomplete: 'organization' }),
		email: line(254)
			.refine(isAddress)
			.meta({
				title: 'Email',
				description:
					'One email address, to which we answer. Taken in its international form too (RFC 6531), and with dots anywhere before the @.',
				examples: ['ana@clinicasol.example'],
				format: 'email',
				pattern: plainAddress.source,
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
		description: `A sales lead. Text is cleaned before it is checked, unless it is more than ${FAR_OVER} times as long as it may be: what nobody can see goes, and so does white space around it; line breaks become \`\\n\`, or spaces where there may be none; letters are composed (Unicode NFC). \`null\` in an optional member is as good as none. Members not named here are ignored.`,
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
