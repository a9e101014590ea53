import * as z from 'zod';
import { countedSchema, textSchema as text } from './counted.ts';

const notice = z.strictObject({
	title: text,
	text: text.describe(
		'`{email}` stands for the sales address. In `limited`, `{when}` stands for the time to wait, such as `in 5 minutes`.',
	),
});

/** Messages for every field by kind of error, e.g. `invalid`, and for one field by error code, e.g. `email_invalid`. */
const errors = z.object({ required: text, too_long: text, invalid: text, unknown: text }).catchall(text);

const words = { label: text.optional(), hint: text.optional() };

/** The words of the contact page in one language: `content/<language>/contact.yaml`. */
export const copySchema = z.strictObject({
	action: text.describe('Every link to this page: the one thing that we ask visitors to do.'),
	priceAction: text.describe('The link of a price card to this page.'),
	title: text,
	description: text.describe('For search engines.'),
	introduction: text,
	next: z
		.strictObject({
			title: text,
			steps: z.array(text).min(1).describe('`{email}` stands for the sales address.'),
			answer: countedSchema.describe('One more step, where the facts say in how many working days we answer.'),
		})
		.describe('Says what happens to a message, beside the form and on the thanks page.'),
	caution: text.describe("Asks visitors not to write patients' data."),
	fields: z
		.record(z.string(), z.strictObject({ ...words, options: z.record(z.string(), text).optional() }))
		.describe(
			'Words by field of the lead, and options of a choice by value. English falls back to the words of `src/lead/lead.ts`.',
		),
	privacyLink: text.describe('The link under the consent box.'),
	optional: text.describe('After the label of a field that may stay empty.'),
	choose: text.describe('A choice shows this until somebody chooses.'),
	submit: text,
	sending: text.describe('The button says this while it sends.'),
	stillSending: text.describe('The page says this when the answer takes long.'),
	sendAgain: text.describe('The button under a notice that lets the visitor send the same again.'),
	later: text.describe('`{when}` where the time is not known.'),
	errors: errors.describe("For visitors: errors of the form's fields."),
	invalidLead: z
		.strictObject({ title: text, detail: text, errors: errors.extend({ body_not_object: text }) })
		.describe("For programs: the problem `invalidLead`, with the errors of a JSON object's members."),
	errorTitle: text.describe("The page's title after an error; `{title}` stands for the title above."),
	notices: z
		.strictObject({
			invalid: notice,
			unavailable: notice,
			limited: notice,
			offline: notice,
			refused: notice,
			tooLong: notice,
			unread: notice.describe('The server did not read the form, so its page cannot show what the visitor typed.'),
		})
		.describe('Why the form was not sent.'),
	accessRequest: z
		.strictObject({
			link: text.describe("The contact page's link to it."),
			title: text,
			description: text,
			introduction: text,
			fields: z.record(z.string(), z.strictObject(words)),
			template: text.describe('The text that the message field starts with.'),
		})
		.describe('Replace the words above on the page for requests for API access.'),
	thanks: z.strictObject({
		title: text,
		text,
		book: text.describe('The link to a page where the visitor books a time to talk, where the facts have one.'),
		back: text,
	}),
	confirmation: z
		.strictObject({
			subject: text,
			text: text.describe('`{answer}` and `{booking}` stand for the words about them, or for nothing where the facts lack them.'),
			booking: text.describe('`{url}` stands for `bookingUrl`.'),
		})
		.describe(
			"The mail to a visitor where `LEAD_EMAIL_CONFIRM` is on. It is the same for everybody: it must not repeat a visitor's words.",
		),
});

export type Copy = z.output<typeof copySchema>;
