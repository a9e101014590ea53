import * as z from 'zod';
import { textSchema as text } from './counted.ts';

/** The words that stand on every page, or on more than one, in one language: `content/<language>/site.yaml`. */
export const siteWordsSchema = z.strictObject({
	language: text.describe("The language's name in that language."),
	tagline: text.describe('Without a full stop.'),
	description: text.describe('Says what the service is in one or two sentences, for search engines and below the tagline.'),
	skipToContent: text.describe('The link that skips the header.'),
	mainNavigation: text.describe('For screen readers: the navigation of the header.'),
	footerNavigation: text.describe('For screen readers: the navigation of the footer.'),
	privacy: text,
	prices: text.describe('The heading of the prices on the start page, to which the header links.'),
	questions: text.describe('The heading of the questions on the start page, to which the header links.'),
	documentation: text,
	apiReference: text,
	agents: text.describe('The link to `/auth.md`.'),
	languages: text.describe('Names the menu of languages.'),
	offer: text.describe('Offers the page in this language to a reader of another page whose browser prefers this language.'),
	perMinute: text.describe('After a price in a sentence.'),
	perMonth: text,
	payAsYouGo: text.describe('Names of the offers, in the data for search engines.'),
	plans: text,
	prevailing: text.describe('Says that the notice in the default language prevails over the translation.'),
	outline: text.describe("Above the list of a page's headings."),
	addedByForm: text.describe('In brackets after a field that no visitor fills in.'),
	ifGiven: text.describe('In brackets after a field that may stay empty.'),
	fieldNames: z.record(z.string(), text).describe("Short names of the lead's fields, for lists and for the mail to the team."),
	team: z
		.strictObject({
			lead: text.describe("The subject; `{who}` stands for the visitor's name, clinic and country."),
			accessRequest: text.describe('The subject of a request for API access.'),
			agreed: text.describe('Beside the name of the consent; `{version}` stands for the day of the privacy notice.'),
			received: text.describe('Before the time.'),
			sentBy: text.describe('Before `withKey`.'),
			withKey: text.describe("`{owner}` stands for the API key's owner, `{key}` for its id."),
			unknownOwner: text.describe('In the place of the owner, if the key is gone.'),
			spam: text.describe('Before the reasons, if a lead looks like spam.'),
			answer: text.describe('The link that answers the visitor.'),
			shortened: text.describe('In brackets after the beginning of a text that is too long for chat.'),
			notShown: text.describe('In the place of a text that chat must not show.'),
			inMail: text.describe('After either of the two: says where the whole text is.'),
			byCommand: text.describe('After either of the two; `{command}` stands for the command that shows the whole text.'),
		})
		.describe('Words of the messages to the sales team, by mail and in chat, beside the names of the fields.'),
	spamReasons: z
		.strictObject({
			honeypot: text,
			trained: text,
			'name-address': text,
			repeated: text,
			'random-letters': text,
			engine: text,
			links: text,
			disposable: text,
		})
		.describe('For the sales team: why a lead looks like spam, by signal.'),
	apiDescription: text.describe('The API in the data for search engines.'),
	example: text.describe('Names a block of code.'),
	table: text.describe('Names a table that scrolls.'),
});

export type SiteWords = z.output<typeof siteWordsSchema>;
