import * as z from 'zod';
import { countedSchema } from './counted.ts';

const text = z.string().trim().min(1);
const notice = z.strictObject({
	title: text,
	/** `{email}` stands for the sales address; of `limited`, `{when}` for the time to wait, such as `in 5 minutes`. */
	text,
});

/** By what is wrong, e.g. `invalid`, for every field; by error code, e.g. `email_invalid`, where a field has words of its own. */
const errors = z
	.object({ required: text, too_long: text, invalid: text, unknown: text, out_of_range: text, not_on: text })
	.catchall(text);

const words = { label: text.optional(), hint: text.optional() };

/** The words of the contact page in one language: `content/<language>/contact.yaml`. */
export const copySchema = z.strictObject({
	/** The link that leads here, and the one thing that we ask visitors to do: the same wherever it stands. */
	action: text,
	title: text,
	/** For search engines. */
	description: text,
	introduction: text,
	/** What becomes of a message, beside the form and once it was sent. */
	next: z.strictObject({
		title: text,
		/** `{email}` stands for the sales address. */
		steps: z.array(text).min(1),
		/** A step more where the facts say in how many working days an answer comes. */
		answer: countedSchema,
	}),
	/** Asks visitors not to write patients' data. */
	caution: text,
	/** By field of the lead; the options of a choice by value. In English the words of `src/lead/lead.ts` serve where there are none. */
	fields: z.record(z.string(), z.strictObject({ ...words, options: z.record(z.string(), text).optional() })),
	/** The link under the consent box. */
	privacyLink: text,
	/** Of a long text that is nearly as long as it may be: how many characters are left. */
	left: countedSchema,
	/** The same where there are too many. */
	over: countedSchema,
	/** Stands behind the label of a field that may stay empty. */
	optional: text,
	/** What a choice shows that nobody has made. */
	choose: text,
	submit: text,
	/** What the button says while a lead is under way. */
	sending: text,
	/** What the page says when the answer takes long. */
	stillSending: text,
	/** The button under a notice after which the same may be sent once more. */
	sendAgain: text,
	/** What `{when}` says where the time is not known. */
	later: text,
	/** For visitors, of the fields of the form. */
	errors,
	/** For programs: the problem of that name, and its errors, of the members of a JSON object. */
	invalidLead: z.strictObject({ title: text, detail: text, errors: errors.extend({ body_not_object: text }) }),
	/** The page's title once the form was not sent; `{title}` stands for the one above. */
	errorTitle: text,
	/** Why the form was not sent. */
	notices: z.strictObject({
		invalid: notice,
		unavailable: notice,
		limited: notice,
		offline: notice,
		refused: notice,
		tooLong: notice,
		/** Of a form that the server has not read, so that its page cannot show what was typed. */
		unread: notice,
	}),
	/** The words of the same page where it asks for what a request for API access must state, in the places of those above. */
	accessRequest: z.strictObject({
		/** What the contact page calls the link to it. */
		link: text,
		title: text,
		description: text,
		introduction: text,
		fields: z.record(z.string(), z.strictObject(words)),
		/** What the message begins with. */
		template: text,
	}),
	thanks: z.strictObject({ title: text, text, back: text }),
	/** The mail that a visitor gets where `LEAD_EMAIL_CONFIRM` is on. The same for everybody: no word of a visitor may stand in it. */
	confirmation: z.strictObject({ subject: text, text }),
});

export type Copy = z.output<typeof copySchema>;
