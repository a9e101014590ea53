import type { FactWords } from '../facts/facts.ts';
import type { Links } from '../facts/links.ts';
import type { Service } from '../facts/schema.ts';

/** What every document is made from: plain data, so that each builder is a pure function. */
export interface Source {
	service: Service;
	/** The public origin, without a trailing slash. */
	origin: string;
	/** Made from the same origin. */
	links: Links;
	/** The words that facts are said in, of the default language. */
	words: FactWords;
	/** The pages for people, in the order of the navigation. */
	pages: Page[];
	/** Every document, in the order of the table. */
	documents: DocumentEntry[];
	/** The text of `content/auth.md`, facts not yet filled in. */
	authMd: string;
	/** The text of `content/skills/send-a-lead/SKILL.md`, likewise. */
	skill: string;
	/** The day of the build in UTC, `YYYY-MM-DD`. */
	builtOn: string;
}

/** A document for programs, as other documents list it. */
export interface DocumentEntry {
	path: `/${string}`;
	/** What it is for: one sentence, true whether OAuth is live or planned. */
	purpose: string;
}

/** A page for people. */
export interface Page {
	/** Starts with a slash. */
	path: string;
	title: string;
	description: string;
	/** BCP 47. */
	language: string;
	/** Where it is in each language, by what `hreflang` calls that, where there are several. */
	translations?: { tag: string; path: string }[];
	/** When its words were last changed, where that is known. */
	changed?: Date;
}
