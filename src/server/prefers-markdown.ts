import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/**
 * RFC 9110 section 12.5.1. Of two that it likes equally the client gets the one it names first, and HTML unless it names Markdown.
 * Without that name nothing else is looked at: `text/*;q=1, text/html;q=0.9` is no wish for Markdown.
 */
export function prefersMarkdown(request: IncomingMessage): boolean {
	if (!/markdown/i.test(request.headers.accept ?? '')) return false;
	return new Negotiator(request).mediaType(['text/html', 'text/markdown']) === 'text/markdown';
}
