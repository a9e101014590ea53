import type { Source } from './source.ts';

/** `/robots.txt` (RFC 9309), with the owner's wishes for the use of the content (contentsignals.org). */
export function robotsTxt({ service: { contentSignals }, links }: Source): string {
	const { search, aiInput, aiTrain } = contentSignals;
	return `User-agent: *
Content-Signal: search=${yesNo(search)}, ai-input=${yesNo(aiInput)}, ai-train=${yesNo(aiTrain)}
Allow: /

Sitemap: ${links.sitemap}
`;
}

const yesNo = (allowed: boolean) => (allowed ? 'yes' : 'no');
