import * as z from 'zod';

/** Returns each `{name}` and `{{name}}` of a text, once. Only facts, in double braces, may have spaces inside. */
export const bracesIn = (text: string): string[] =>
	[...new Set(text.match(/\{\{[^{}]*\}\}|\{[^{}]*\}/g))].map((name) => (name.startsWith('{{') ? name.replaceAll(' ', '') : name));

export const group = <Shape extends z.ZodRawShape>(about: string, shape: Shape) => z.strictObject(shape).describe(about);

/** A text that is not empty. @param names what it may name in single braces: `{email}` */
function words(...names: string[]) {
	const known = names.map((name) => `{${name}}`);
	return z
		.string()
		.trim()
		.min(1)
		.superRefine((value, { addIssue }) => {
			for (const found of bracesIn(value))
				if (!found.startsWith('{{') && !known.includes(found))
					addIssue({ code: 'custom', message: known.join(' or ') || 'no braces, or two: {{fact}}', params: { found } });
			for (const [found] of value.matchAll(/&(?:#\w+|[a-z]+);|<\/?[a-z][^<>]*>/gi))
				addIssue({ code: 'custom', message: 'plain words: a page or a mail would show this as it is', params: { found } });
		});
}

export const text = words();

const withValue = words('value');
const counted = words('count');
/** Words about a number by plural category (CLDR); `other` fills in for a missing one. `{count}` stands for the number. */
export const countedSchema = z
	.strictObject({ zero: counted, one: counted, two: counted, few: counted, many: counted, other: counted })
	.partial()
	.required({ other: true });

export type Counted = z.output<typeof countedSchema>;

const ofActions = z.strictObject({ taken: text, spam: text, 'not-spam': text, 'send-again': text });

/** The words of every page, or of more than one, in one language: `content/<language>/site.yaml`. */
export const siteWordsSchema = z.strictObject({
	language: text.describe("The language's name in that language."),
	tagline: text.describe('Without a full stop.'),
	description: text.describe('Says what the service is in one or two sentences, for search engines and below the tagline.'),
	skipToContent: text.describe('The link that skips the header.'),
	mainNavigation: text.describe('For screen readers: the navigation of the header, and the button that opens it on a phone.'),
	footerNavigation: text.describe('For screen readers: the navigation of the footer.'),
	privacy: text,
	trust: text.describe('The link to the page with what the lawyer of a buyer asks.'),
	prices: text.describe('The heading of the prices on the start page, to which the header links.'),
	questions: text.describe('The heading of the questions on the start page, to which the header links.'),
	documentation: text,
	apiReference: text,
	agents: text.describe('The link to the skill for agents.'),
	languages: text.describe('Names the menu of languages.'),
	offer: text.describe('Offers the page in this language to a reader of another page whose browser prefers this language.'),
	perMinute: text.describe('After a price in a sentence.'),
	perMonth: text,
	withinWorkingDays: countedSchema.describe('How soon an answer comes.'),
	consentRule: text.describe('Who may give consent, for programs that send a lead.'),
	payAsYouGo: text.describe('Names of the offers, in the data for search engines.'),
	plans: text,
	prevailing: text.describe('Says that the notice in the default language prevails over the translation.'),
	outline: text.describe("Above the list of a page's headings."),
	addedByForm: text.describe('In brackets after a field that the form fills in, and programs may send.'),
	ifGiven: text.describe('In brackets after a field that may stay empty.'),
	fieldNames: z.record(z.string(), text).describe("Short names of the lead's fields, for lists and for the mail to the team."),
	team: group('Words of the messages to the sales team, by mail and in chat, beside the names of the fields.', {
		lead: words('who').describe("The subject; `{who}` stands for the visitor's name, clinic and country."),
		accessRequest: words('who').describe('The subject of a request for API access.'),
		agreed: words('version').describe('Beside the name of the consent; `{version}` stands for the day of the privacy notice.'),
		received: text.describe('Before the time.'),
		reference: text.describe('Before what people call the lead: `7Q4F-K2M9`.'),
		sentBy: text.describe('Before `withKey`.'),
		withKey: words('owner', 'key').describe("`{owner}` stands for the API key's owner, `{key}` for its id."),
		unknownOwner: text.describe('In the place of the owner, if the key is gone.'),
		spam: text.describe('Before the reasons, if a lead looks like spam.'),
		answer: text.describe('The link that answers the visitor.'),
		checkAddress: text.describe('Before what is odd about the email address.'),
		noMail: words('domain').describe('`{domain}` stands for that of the address.'),
		noMailCall: words('domain', 'phone').describe('The same, if the phone is known.'),
		returned: words('who').describe('The subject of the notice that a mail came back; `{who}` stands for the name.'),
		meant: words('email').describe('`{email}` stands for what a mistyped address may stand for.'),
		shortened: text.describe('In brackets after the beginning of a text that is too long for chat.'),
		notShown: text.describe('In the place of a text that chat must not show.'),
		inMail: text.describe('After `shortened` or `notShown`: says where the whole text is.'),
		byCommand: words('command').describe('After `shortened` or `notShown`; `{command}` shows the whole text.'),
	}),
	spamReasons: group('For the sales team: why a lead looks like spam, by signal.', {
		honeypot: text,
		trained: text,
		'name-address': text,
		repeated: text,
		'random-letters': text,
		engine: text,
		'model-pitch': text,
		'model-spam': text,
		links: text,
		'other-form': text,
		disposable: text,
	}),
	visit: group('For the sales team: where a visitor came from.', { from: withValue, campaign: withValue, first: withValue }),
	actions: group('For the sales team: links at the end of each message, and the pages that they lead to.', {
		act: text.describe('Before the links, in mail.'),
		...ofActions.shape,
		about: words('time', 'id').describe('Names the lead by `{time}` and `{id}`.'),
		takenBy: words('name', 'time'),
		answers: words('name', 'lead').describe('In chat, when a lead is taken; `{lead}` stands for its reference and clinic.'),
		free: words('lead').describe('In chat, when it is given back.'),
		giveBack: text.describe('The button that says that one does not answer the lead.'),
		handOver: text,
		colleague: text.describe('The label of the field for the name of who answers the lead in future.'),
		ask: ofActions.describe('What a press of the button does.'),
		after: group('What becomes of leads like it; `{alike}` stands for some of the next words, with commas and an “or”.', {
			spam: words('alike'),
			'not-spam': words('alike'),
		}),
		alike: z.strictObject({ message: text, sender: withValue, link: withValue }),
		done: ofActions.describe('Says that it is done, or was done before.'),
		name: text.describe('The label of the field for the name.'),
		ended: text,
		wrong: text.describe('A link that is not whole.'),
		foreign: text.describe('A whole link that this store has not signed.'),
		gone: text,
		failed: text,
	}),
	quarantine: group('For the sales team: the notice of possible leads in quarantine.', {
		title: countedSchema.describe('The subject.'),
		advice: text.describe('Before the next two.'),
		release: words('link').describe('What to do about one that is real; `{link}` stands for the name of its link.'),
		all: words('command').describe('For the operator: `{command}` lists them all.'),
	}),
	reminder: group('For the sales team: the reminder of leads that nobody answers.', {
		title: countedSchema.describe('The subject.'),
		age: text.describe('Before how long ago the lead came.'),
		more: text.describe('Before the number of leads that the reminder does not name.'),
		answered: text.describe('Before `press`.'),
		press: text.describe('Says that an answer alone does not end the reminders.'),
		lastWeek: text.describe('Before `taken`.'),
		taken: words('count', 'median', 'longest').describe(
			'How many leads somebody took; `{median}` and `{longest}` stand for how long after they came.',
		),
	}),
	apiDescription: text.describe('The API in the data for search engines.'),
	example: text.describe('Names a block of code.'),
	table: text.describe('Names a table that scrolls.'),
});

export type SiteWords = z.output<typeof siteWordsSchema>;

/** The title and the text of a notice. @param names as for {@link words} */
const notice = (...names: string[]) =>
	z.strictObject({ title: text, text: words('email', ...names).describe('`{email}` stands for the sales address.') });

/** Returns messages for every field by kind of error, e.g. `invalid`, and for one field by error code, e.g. `email_invalid`. */
function errors(...names: string[]) {
	const message = words(...names, 'max', 'character');
	return z.object({ required: message, too_long: message, invalid: message, character: message }).catchall(message);
}

const choices = z.record(z.string(), text).optional();
const ofFields = z.record(z.string(), z.strictObject({ label: text.optional(), hint: text.optional(), choices }));

/** The words of the contact page in one language: `content/<language>/contact.yaml`. */
export const copySchema = z.strictObject({
	action: text.describe('Every link to this page: the one thing that we ask visitors to do.'),
	priceAction: text.describe('The link of a price card to this page.'),
	title: text,
	description: text.describe('For search engines.'),
	introduction: text,
	next: group('Says what happens to a message, beside the form and on the thanks page.', {
		title: text,
		steps: z.array(words('email')).min(1).describe('`{email}` stands for the sales address.'),
		answer: countedSchema.describe('One more step, where the facts say in how many working days we answer.'),
	}),
	caution: text.describe("Asks visitors not to write patients' data."),
	fields: ofFields.describe('Words by field of the lead. English falls back to the words of `src/lead/lead.ts`.'),
	privacyLink: text.describe('The link under the consent box.'),
	optional: text.describe('After the label of a field that may stay empty.'),
	submit: text,
	sending: text.describe('The button says this while it sends.'),
	stillSending: text.describe('The page says this when the answer takes long.'),
	sendAgain: text.describe('The button under a notice that lets the visitor send the same again.'),
	filled: text.describe('Above the form, if a link or an assistant has filled it in.'),
	unfilled: text.describe('Below the form, for readers without scripts who came by a link that should fill it in.'),
	meant: words('email').describe('The button under an address that looks mistyped; `{email}` stands for the right one.'),
	later: text.describe('`{when}` where the time is not known.'),
	errors: errors('label').describe("For visitors: errors of the form's fields."),
	invalidLead: group("For programs: the problem `invalidLead`, with the errors of a JSON object's members.", {
		title: text,
		detail: text,
		errors: errors('member').extend({ body_not_object: text }),
	}),
	errorTitle: words('title').describe("The page's title after an error; `{title}` stands for the title above."),
	notices: group('Why the form was not sent.', {
		invalid: notice(),
		unavailable: notice(),
		limited: notice('when').describe('`{when}` stands for the time to wait, such as `in 5 minutes`.'),
		offline: notice(),
		refused: notice(),
		tooLong: notice(),
		unread: notice().describe('The server did not read the form, so its page cannot show what the visitor typed.'),
		turnedAway: notice().describe('As `limited`, on a page for everybody: it cannot show what the visitor typed.'),
	}),
	accessRequest: group('Replace the words above on the page for requests for API access.', {
		link: text.describe("The contact page's link to it."),
		title: text,
		description: text,
		introduction: text,
		fields: ofFields,
		scopes: text.describe('The question which scopes the program needs.'),
		choices: z.record(z.string(), text).describe('What each scope allows.'),
	}),
	thanks: z.strictObject({
		title: text,
		text,
		sent: group('The same for a visitor who comes from the form: `{reference}` is that of the message, `{email}` the address.', {
			title: text,
			text: words('reference', 'email'),
		}),
		book: text.describe('The link to a page where the visitor books a time to talk, where the facts have one.'),
		meanwhile: text.describe('Above the links to what the visitor may read until the answer comes.'),
		back: text,
	}),
	answerSubject: words('reference'),
	confirmation: group("The mail to a visitor where `LEAD_AUTOREPLY` is on. It must not repeat the visitor's words.", {
		subject: words('reference'),
		text: words('answer', 'reference', 'booking').describe('Each name stands for the words about it, or for nothing.'),
		reference: words('reference'),
		booking: words('url').describe('`{url}` stands for `bookingUrl`.'),
	}),
});

export type Copy = z.output<typeof copySchema>;
