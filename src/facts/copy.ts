import * as z from 'zod';
import { countedSchema } from './counted.ts';

const text = z.string().trim().min(1);
const notice = z.strictObject({
	title: text,
	/** `{email}` stands for the sales address. In `limited`, `{when}` stands for the time to wait, such as `in 5 minutes`. */
	text,
});

/** Messages for every field by kind of error, e.g. `invalid`, and for one field by error code, e.g. `email_invalid`. */
const errors = z
	.object({ required: text, too_long: text, invalid: text, unknown: text, out_of_range: text, not_on: text })
	.catchall(text);

const words = { label: text.optional(), hint: text.optional() };

/** The words of the contact page in one language: `content/<language>/contact.yaml`. */
export const copySchema = z.strictObject({
	/** Every link to this page: the one thing that we ask visitors to do. */
	action: text,
	title: text,
	/** For search engines. */
	description: text,
	introduction: text,
	/** Says what happens to a message, beside the form and on the thanks page. */
	next: z.strictObject({
		title: text,
		/** `{email}` stands for the sales address. */
		steps: z.array(text).min(1),
		/** One more step, where the facts say in how many working days we answer. */
		answer: countedSchema,
	}),
	/** Asks visitors not to write patients' data. */
	caution: text,
	/** Words by field of the lead, and options of a choice by value. English falls back to the words of `src/lead/lead.ts`. */
	fields: z.record(z.string(), z.strictObject({ ...words, options: z.record(z.string(), text).optional() })),
	/** The link under the consent box. */
	privacyLink: text,
	/** Says how many characters are left, when a text comes near its limit. */
	left: countedSchema,
	/** Says how many characters are too many. */
	over: countedSchema,
	/** After the label of a field that may stay empty. */
	optional: text,
	/** A choice shows this until somebody chooses. */
	choose: text,
	submit: text,
	/** The button says this while it sends. */
	sending: text,
	/** The page says this when the answer takes long. */
	stillSending: text,
	/** The button under a notice that lets the visitor send the same again. */
	sendAgain: text,
	/** `{when}` where the time is not known. */
	later: text,
	/** For visitors: errors of the form's fields. */
	errors,
	/** For programs: the problem `invalidLead`, with the errors of a JSON object's members. */
	invalidLead: z.strictObject({ title: text, detail: text, errors: errors.extend({ body_not_object: text }) }),
	/** The page's title after an error; `{title}` stands for the title above. */
	errorTitle: text,
	/** Why the form was not sent. */
	notices: z.strictObject({
		invalid: notice,
		unavailable: notice,
		limited: notice,
		offline: notice,
		refused: notice,
		tooLong: notice,
		/** The server did not read the form, so its page cannot show what the visitor typed. */
		unread: notice,
	}),
	/** Replace the words above on the page for requests for API access. */
	accessRequest: z.strictObject({
		/** The contact page's link to it. */
		link: text,
		title: text,
		description: text,
		introduction: text,
		fields: z.record(z.string(), z.strictObject(words)),
		/** The text that the message field starts with. */
		template: text,
	}),
	thanks: z.strictObject({ title: text, text, back: text }),
	/** The mail to a visitor where `LEAD_EMAIL_CONFIRM` is on. It is the same for everybody: it must not repeat a visitor's words. */
	confirmation: z.strictObject({ subject: text, text }),
});

export type Copy = z.output<typeof copySchema>;
