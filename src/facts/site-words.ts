import * as z from 'zod';

const text = z.string().trim().min(1);

/** The words that stand on every page, or on more than one, in one language: `content/<language>/site.yaml`. */
export const siteWordsSchema = z.strictObject({
	/** The language's name in that language. */
	language: text,
	/** Texts that this language shares with English: the build does not warn about them. */
	asInEnglish: z.array(text).optional(),
	/** Without a full stop. */
	tagline: text,
	/** Says what the service is in one or two sentences, for search engines and below the tagline. */
	description: text,
	/** The link that skips the header. */
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
	/** Offers the page in this language to a reader of another page whose browser prefers this language. */
	offer: text,
	/** After a price in a sentence. */
	perMinute: text,
	perMonth: text,
	/** Names of the offers, in the data for search engines. */
	payAsYouGo: text,
	plans: text,
	/** Says that the notice in the default language prevails over the translation. */
	prevailing: text,
	/** Above the list of a page's headings. */
	outline: text,
	/** In brackets after a field that no visitor fills in. */
	addedByForm: text,
	/** In brackets after a field that may stay empty. */
	ifGiven: text,
	/** Short names of the lead's fields, for lists and for the mail to the team. */
	fieldNames: z.record(z.string(), text),
	/** Words of the messages to the sales team, by mail and in chat, beside the names of the fields. */
	team: z.strictObject({
		/** The subject; `{who}` stands for the visitor's name, clinic and country. */
		lead: text,
		/** The subject of a request for API access. */
		accessRequest: text,
		/** Beside the name of the consent; `{version}` stands for the day of the privacy notice. */
		agreed: text,
		/** Before the time. */
		received: text,
		/** Before `withKey`. */
		sentBy: text,
		/** `{owner}` stands for the API key's owner, `{key}` for its id. */
		withKey: text,
		/** In the place of the owner, if the key is gone. */
		unknownOwner: text,
		/** Before the reasons, if a lead looks like spam. */
		spam: text,
		/** The value of a ticked box. */
		ticked: text,
		/** The link that answers the visitor. */
		answer: text,
		/** In brackets after the beginning of a text that is too long for chat. */
		shortened: text,
		/** In the place of a text that chat must not show. */
		notShown: text,
		/** After either of the two: says where the whole text is. */
		inMail: text,
		/** After either of the two; `{command}` stands for the command that shows the whole text. */
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
