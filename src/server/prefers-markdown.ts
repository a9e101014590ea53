import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/**
 * RFC 9110 section 12.5.1. Of two that it likes equally the client gets the one it names first, and HTML unless it names Markdown or
 * refuses HTML: `text/*;q=1, text/html;q=0.9` is no wish for Markdown. Parameters beside `q` do not matter: there is one kind of each.
 */
export function prefersMarkdown({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
	const { accept = '' } = headers;
	const isNamed = /markdown/i.test(accept);
	if (!isNamed && !refusal.test(accept)) return false;
	const ranges = accept.replace(parameter, '');
	const types = new Negotiator({ headers: { accept: ranges } }).mediaTypes(['text/html', 'text/markdown']);
	return types[0] === 'text/markdown' && (isNamed || types.length === 1);
}

/** A weight of 0. */
const refusal = /q=0(?!\.\d*[1-9])/i;
/** A parameter of a media range that is not its weight. */
const parameter = /;\s*(?!q=)[\w!#$&^.+-]+=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;
