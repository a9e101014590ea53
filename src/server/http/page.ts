import { createApp } from 'astro/app/entrypoint';
import type { Answer } from '../../http/answer.ts';
import type { PageAnswer } from '../../lead/intake/submit.ts';
import { links } from '../../facts/load.ts';

/** Without streaming, so that an exception is known before any part of the page is sent. */
const app = createApp({ streaming: false });
// Astro would print an exception, which may quote a lead, and answer with its own page. Thrown, it is logged without its words.
app.logger.setDestination({ write: () => {} });
app.renderError = (_request, { error }) => Promise.reject(error ?? new Error('Astro has no page for this.'));

/**
 * Returns the contact page in answer to a form, rendered by Astro.
 *
 * @throws the page cannot be rendered; its message may quote the lead
 */
export async function renderPage(answer: PageAnswer): Promise<Answer> {
	// Without the body, which has already been read: the page depends on `answer` alone.
	const response = await app.render(new Request(links.submitLead), { locals: { answer } });
	return { status: answer.status, headers: answer.headers, body: await response.text() };
}
