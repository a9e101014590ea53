import type { Answer } from '../../http/answer.ts';
import type { PageAnswer } from '../../lead/intake/submit-lead.ts';

/** Returns the answer to send. Renders a page with Astro; in development Astro itself stands in front and renders it. */
export const completeAnswer = (answer: Answer | PageAnswer): Answer | Promise<Answer> =>
	'page' in answer ? pageOf(answer) : answer;

async function pageOf(answer: PageAnswer): Promise<Answer> {
	// Loaded with the first page, because most deployments rarely need it.
	const { renderPage } = await import('./page.ts');
	return renderPage(answer);
}
