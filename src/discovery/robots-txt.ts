import type { Source } from './source.ts';

/** `/robots.txt` (RFC 9309), with the owner's wishes on the use of the content (contentsignals.org). */
export function robotsTxt({ service: { contentSignals }, links }: Source): string {
	const say = (allowed: boolean) => (allowed ? 'yes' : 'no');
	return `User-agent: *
Content-Signal: search=${say(contentSignals.search)}, ai-input=${say(contentSignals.aiInput)}, ai-train=${say(contentSignals.aiTrain)}
Allow: /

Sitemap: ${links.sitemap}
`;
}
