import { EventEmitter } from 'node:events';
import * as z from 'zod';
import type { Fault, Field } from './field.ts';
import * as field from './field.ts';
import { FAR_OVER } from './text.ts';

/**
 * The fields of a sales lead, as `POST /api/contact` takes it. Form, check, error codes, OpenAPI, API reference, privacy notice,
 * mail, chat and export follow from this table. Each language's `contact.yaml` has words for the fields.
 */
const fields = {
	name: field.text({
		label: 'Name',
		description: 'The name of the person who asks. It has at least one visible character.',
		example: 'Ana Ruiz',
		maxLength: 120,
		required: true,
		autocomplete: 'name',
	}),
	clinic: field.text({
		label: 'Clinic',
		description: 'The name of the clinic or business. It has at least one visible character.',
		example: 'Clínica Sol',
		maxLength: 160,
		required: true,
		autocomplete: 'organization',
	}),
	email: field.email({
		label: 'Email',
		description:
			'The address for our answer: one, with a dot in its domain, whose last part begins with a letter. It is a valid email address of the HTML standard. It may have dots anywhere before the @, although validators of `format` may refuse `ana..@clinic.example`. Repaired before it is checked: full-width characters become ASCII; a name with the address in angle brackets, `mailto:` before the address and dots behind it are removed; an international domain is stored in its ASCII form.',
		example: 'ana@clinicasol.example',
		maxLength: 254,
		required: true,
		autocomplete: 'email',
	}),
	phone: field.text({
		kind: 'tel',
		label: 'Phone',
		description: 'A phone number, in any notation.',
		example: '+34 600 123 456',
		maxLength: 40,
		autocomplete: 'tel',
	}),
	country: field.text({
		label: 'Country',
		description: 'Where the clinic is, as the visitor wrote it.',
		example: 'Spain',
		maxLength: 80,
		autocomplete: 'country-name',
	}),
	message: field.text({
		kind: 'textarea',
		label: 'Message',
		description: 'The visitor’s question. Line breaks are kept. Never send patients’ data.',
		example: 'We miss about ten calls a day. Can you take them?',
		maxLength: 5000,
	}),
	consent: field.consent({
		label: 'Consent',
		description: 'The literal `on`: the person agrees that we store these details to answer them. {{consent.rule}}',
	}),
	lang: field.text({
		kind: 'hidden',
		label: 'Language',
		description:
			'The language of the words that the person agreed to, which we keep, and of errors: a BCP 47 tag. In capitals or not, `de-AT` finds `de` (RFC 4647 section 3.4). Any other text is taken too, but finds no language.',
		example: 'es',
		maxLength: 35,
	}),
	source: field.text({
		kind: 'hidden',
		label: 'Source',
		description:
			'`api-access` if it asks for access to the API, else `assistant` if an AI assistant sends it, else the page or campaign that it comes from. A query behind a page says more, as our form does: `topic`; `first`, the page that the visitor came to first; `from`, the host of the site that sent them; and, as they stood in the address, `utm_source`, `utm_medium`, `utm_campaign`, `gclid` and `msclkid`.',
		example: '/contact',
		maxLength: 500,
	}),
	website: field.honeypot({
		label: 'Website',
		description: 'Leave it out or empty: it is a trap for programs that fill in every field. White space counts as text.',
	}),
} satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

export const leadFields = Object.entries(fields as Record<FieldName, Field>).map(([name, field]) =>
	Object.assign({ name: name as FieldName }, field),
);

/** The fields that people write or choose in. */
export const enteredFields = leadFields.filter(({ kind }) => !['consent', 'hidden', 'honeypot'].includes(kind));

export type LeadField = (typeof leadFields)[number];

/** The members that every lead has. */
type Required = 'name' | 'clinic' | 'email' | 'consent';

type Shape = Record<Required, z.ZodType<string, string>> &
	Record<Exclude<FieldName, Required>, z.ZodOptional<z.ZodType<string, string>>>;

/** The names of the fields whose values are compared as they are, in Markdown. */
const uncleaned = leadFields.flatMap(({ name, kind }) => (/consent|honeypot|select/.test(kind) ? `\`${name}\`` : []));

export const leadSchema = z.object(Object.fromEntries(leadFields.map(({ name, schema }) => [name, schema])) as Shape).meta({
	description: [
		'A sales lead. Members that are not listed here are ignored. A lead with text in `website` is answered like an accepted one, whatever else it holds, but treated as spam.',
		'Every lead that this schema accepts is valid. The API accepts a lead that the schema rejects in three cases only: the description of a member says so; an optional member is `null` or an empty string, which counts as absent; or a text becomes valid when it is cleaned.',
		`All text but ${new Intl.ListFormat('en').format(uncleaned)} is cleaned before it is checked. Cleaning removes the white space around the text, and control characters and other invisible characters in it; line breaks of any kind become \`\\n\`, or with the white space beside them one space in a text of one line; tabs become spaces; letters are composed (Unicode NFC). If a text has only invisible characters beyond U+FFFF, U+FFFD replaces them. Lengths are counted in Unicode code points. A text that has more than ${FAR_OVER} times its maximum length, without the white space around it, is too long, and is not cleaned.`,
		'Two leads are the same if each member that is listed here has the same value in both once it is cleaned, or is absent in both. Nothing else is compared.',
	].join('\n\n'),
});

/** A request for API access by the form: its message says what the program does. */
export const accessRequestSchema = leadSchema.extend({
	message: leadSchema.shape.message.refine(Boolean, { error: 'required' satisfies Fault }),
});

export type Lead = z.output<typeof leadSchema>;

export type ErrorCode = `${FieldName}_${Fault}`;

/** Every code that an error of a field can have, e.g. `email_invalid`. */
export const errorCodes: ErrorCode[] = leadFields.flatMap(({ name, required, faults }) =>
	[...(required ? ['required' as const] : []), ...faults].map((fault) => `${name}_${fault}` as const),
);

export const exampleLead = (wanted: (field: LeadField) => boolean) =>
	Object.fromEntries(leadFields.filter(wanted).map(({ name, example }) => [name, example]));

/** Events on a lead’s way, for metrics. A listener must not throw: a lead could fail by it. */
export const events = new EventEmitter<{
	/** A submission that could be read was processed, with this result. `test`: it came with the public test key. */
	processed: [{ outcome: string }];
	/** A request was counted by this instance alone, because the store that counts for all could not. */
	countedAlone: [object];
	/** A try to deliver has ended. `waiting`: it is tried again. `failed`: it is not, and no store has the lead. */
	tried: [{ channel: string; outcome: 'sent' | 'waiting' | 'parked' | 'failed' }];
}>();
