import type { Answer } from '../http/answer.ts';
import type { PageAnswer } from '../lead/intake/submit-lead.ts';

/** An answer as it goes out: a page is made by Astro, which in development stands in front and makes it itself. */
export const whole = (answer: Answer | PageAnswer): Answer | Promise<Answer> => ('page' in answer ? pageOf(answer) : answer);

async function pageOf(answer: PageAnswer): Promise<Answer> {
	// Loaded with the first page, since most deployments of most days never need it.
	const { renderPage } = await import('./page.ts');
	return renderPage(answer);
}
