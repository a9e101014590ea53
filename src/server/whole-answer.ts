import type { Answer } from '../http/answer.ts';
import type { PageAnswer } from '../lead/intake/contact.ts';

/** An answer as it goes out: a page is made by Astro, which in development stands in front and makes it itself. */
export async function whole(answer: Answer | PageAnswer): Promise<Answer> {
	if (!('page' in answer)) return answer;
	// Loaded with the first page, since most deployments of most days never need it.
	const { renderPage } = await import('./page.ts');
	return renderPage(answer);
}
