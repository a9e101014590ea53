import { createApp } from 'astro/app/entrypoint';
import type { Answer } from '../http/answer.ts';
import type { PageAnswer } from '../lead/intake/contact.ts';
import { links } from '../service/load.ts';

/** Whole pages, so that an exception is known before anything goes out. */
const app = createApp({ streaming: false });
// Astro would print what is thrown, which may quote a lead, and answer with a page of its own. Whoever asked for the page logs it.
app.logger.setDestination({ write: () => {} });
app.renderError = (_request, { error }) => Promise.reject(error ?? new Error('Astro has no page for this.'));

/**
 * The contact page in answer to a form, made by Astro.
 *
 * @throws it cannot be made; the words may be those of the lead
 */
export async function renderPage(answer: PageAnswer): Promise<Answer> {
	// What was posted has been read already.
	const response = await app.render(new Request(links.submitLead), { locals: { answer } });
	return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
