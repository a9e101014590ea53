import Negotiator from 'negotiator';
import type { FileRequest } from './file-answer.ts';

/**
 * RFC 9110 section 12.5.1. If a client likes both equally, it gets the one that it names first, and HTML unless it names Markdown
 * or refuses HTML: `text/*;q=1, text/html;q=0.9` does not ask for Markdown. Parameters other than `q` do not matter.
 */
export function prefersMarkdown({ headers }: Pick<FileRequest, 'headers'>): boolean {
	const { accept = '' } = headers;
	const isNamed = /markdown/i.test(accept);
	if (!isNamed && !refusal.test(accept)) return false;
	const ranges = accept.replace(parameter, '');
	const types = new Negotiator({ headers: { accept: ranges } }).mediaTypes(['text/html', 'text/markdown']);
	return types[0] === 'text/markdown' && (isNamed || types.length === 1);
}

/** Matches a weight of 0. */
const refusal = /q=0(?!\.\d*[1-9])/i;
/** Matches a parameter of a media range other than its weight. */
const parameter = /;\s*(?!q=)[\w!#$&^.+-]+=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;
