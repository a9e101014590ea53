import { createApp } from 'astro/app/entrypoint';
import { escapeHTML } from 'astro/runtime/server/index.js';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../../http/answer.ts';
import type { FormState, PageAnswer } from '../../lead/intake/submit-lead.ts';
import { type LeadField, leadFields } from '../../lead/lead.ts';
import { API_ACCESS } from '../../facts/links.ts';
import { links } from '../../facts/load.ts';

/** Without streaming, so that an exception is known before any part of the page is sent. */
const app = createApp({ streaming: false });
// Astro would print an exception, which may quote a lead, and answer with its own page. Thrown, it is logged without its words.
app.logger.setDestination({ write: () => {} });
app.renderError = (_request, { error }) => Promise.reject(error ?? new Error('Astro has no page for this.'));

/**
 * Rendered pages without the visitor's text, split: HTML and names of fields alternate. There is room for all pages that clients
 * over the default limit can get: by language, minutes of wait, and the values that {@link withMarks} keeps.
 */
const templates = new LRUCache<string, Promise<string[]>>({ max: 500 });

/**
 * Returns the contact page in answer to a form, rendered by Astro. A page without errors of fields is rendered once and then only
 * filled in: a client over its limit gets such a page for each request, and rendering takes some milliseconds.
 *
 * @throws the page cannot be rendered; its message may quote the lead
 */
export async function renderPage(answer: PageAnswer): Promise<Answer> {
	const { status, headers, page } = answer;
	if (page.errors.length > 0) return { status, headers, body: await render(answer) };
	const values: FormState['values'] = { lang: page.language, ...page.values };
	const pieces = await templateOf({ ...answer, page: { ...page, values: withMarks(values), wait: shownWait(page.wait ?? 0) } });
	const body = pieces.map((piece, index) => (index % 2 === 0 ? piece : escapeHTML(values[piece] ?? ''))).join('');
	return { status, headers, body };
}

function templateOf(answer: PageAnswer): Promise<string[]> {
	const key = JSON.stringify(answer.page);
	const known = templates.get(key);
	if (known) return known;
	const made = render(answer).then((body) => body.split(mark));
	templates.set(key, made);
	made.catch(() => templates.delete(key));
	return made;
}

async function render(answer: PageAnswer): Promise<string> {
	// Without the body, which has already been read: the page depends on `answer` alone.
	const response = await app.render(new Request(links.submitLead), { locals: { answer } });
	return response.text();
}

/** Marks the place of a field's text with characters of private use, which no page of ours has. */
const mark = /\uE000(\w+)\uE001/;

/**
 * Returns the values with a mark for each text. Keeps only values that the page depends on: choices, and whether it is a request
 * for API access. That keeps the number of pages small, so that nobody can force a new rendering by typing.
 */
function withMarks(values: FormState['values']): FormState['values'] {
	const asksForAccess = values['source'] === API_ACCESS;
	/** Returns whether the page has its own value if none was sent. */
	const hasOwn = ({ kind, name }: LeadField) => kind === 'hidden' || (name === 'message' && asksForAccess);
	const shown = leadFields.filter((field) => field.kind !== 'honeypot' && (values[field.name] !== undefined || !hasOwn(field)));
	return Object.fromEntries(shown.map((field) => [field.name, markOf(field, values[field.name] ?? '')]));
}

function markOf({ kind, name, options = { on: '' } }: LeadField, value: string): string {
	if (['select', 'radios', 'checkbox', 'consent'].includes(kind)) return Object.hasOwn(options, value) ? value : '';
	return name === 'source' && value === API_ACCESS ? value : `\uE000${name}\uE001`;
}

/** In seconds, rounded up as the page shows it: to minutes, or from 100 minutes on to hours. */
const shownWait = (wait: number) => (wait <= 5940 ? Math.ceil(wait / 60) * 60 : Math.ceil(wait / 3600) * 3600);
