import { createApp } from 'astro/app/entrypoint';
import type { Answer } from '../http/answer.ts';
import type { PageAnswer } from '../lead/intake/contact.ts';
import { links } from '../service/load.ts';

/** Without streaming, so that an exception is known before any of the page has been sent. */
const app = createApp({ streaming: false });
// Astro would print an exception, which may quote a lead, and answer with a page of its own. Thrown on, it is logged without its words.
app.logger.setDestination({ write: () => {} });
app.renderError = (_request, { error }) => Promise.reject(error ?? new Error('Astro has no page for this.'));

/**
 * The contact page in answer to a form, made by Astro.
 *
 * @throws it cannot be made; the words may be those of the lead
 */
export async function renderPage(answer: PageAnswer): Promise<Answer> {
	// Without the body, which has been read: the page is made from `answer` alone.
	const response = await app.render(new Request(links.submitLead), { locals: { answer } });
	return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
