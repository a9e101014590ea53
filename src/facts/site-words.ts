import * as z from 'zod';

const text = z.string().trim().min(1);

/** The words that stand on every page, or on more than one, in one language: `content/<language>/site.yaml`. */
export const siteWordsSchema = z.strictObject({
	/** The language's name in that language. */
	language: text,
	/** In another language, the English words that it has as well: no warning tells of them. */
	asInEnglish: z.array(text).optional(),
	/** Without a full stop. */
	tagline: text,
	/** What the service is, in one or two sentences: for search engines, and below the tagline. */
	description: text,
	/** Leads past the header. */
	skipToContent: text,
	/** For screen readers: the navigation of the header. */
	mainNavigation: text,
	/** For screen readers: the navigation of the footer. */
	footerNavigation: text,
	privacy: text,
	documentation: text,
	apiReference: text,
	/** The link to `/auth.md`. */
	agents: text,
	/** Names the menu of languages. */
	languages: text,
	/** Offers the page in this language to a reader of another one that prefers this. */
	offer: text,
	/** Behind a price in a sentence. */
	perMinute: text,
	perMonth: text,
	/** Names of the offers, in the data for search engines. */
	payAsYouGo: text,
	plans: text,
	/** Says of a translated notice that the one in the default language counts. */
	prevailing: text,
	/** Above the list of a page's headings. */
	outline: text,
	/** In brackets behind a field that no visitor fills in. */
	addedByForm: text,
	/** In brackets behind a field that may stay empty. */
	ifGiven: text,
	/** By field of the lead, in a word: in lists, and in the mail to the team. */
	fieldNames: z.record(z.string(), text),
	/** What the sales team reads of a lead, by mail and in chat, beside the names of the fields. */
	team: z.strictObject({
		/** The subject; `{who}` stands for the visitor's name, clinic and country. */
		lead: text,
		/** The same of a request for API access. */
		accessRequest: text,
		/** Beside the name of the consent; `{version}` stands for the day of the privacy notice. */
		agreed: text,
		/** In front of the time. */
		received: text,
		/** In front of `withKey`. */
		sentBy: text,
		/** `{owner}` stands for whose API key it is, `{key}` for its id. */
		withKey: text,
		/** The owner of a key that is gone. */
		unknownOwner: text,
		/** Of a box that was ticked. */
		ticked: text,
		/** The link that answers the visitor. */
		answer: text,
		/** Of a text that is too long for chat; in brackets behind its beginning. */
		shortened: text,
		/** In the place of a text that chat must not show. */
		notShown: text,
		/** Behind either: where all of it is. */
		inMail: text,
		/** The same; `{command}` stands for what to run. */
		byCommand: text,
	}),
	/** The API in the data for search engines. */
	apiDescription: text,
	/** Names a block of code. */
	example: text,
	/** Names a table that scrolls. */
	table: text,
});

export type SiteWords = z.output<typeof siteWordsSchema>;
