import { lexer, type Token, walkTokens } from 'marked';
import { mattermost as format } from '../../../../src/lead/channels/chat/mattermost.ts';
import type { ChatService } from '../../../support/chat-service.ts';
import { unescaped } from '../../../support/unescaped.ts';

export const mattermost: ChatService = {
	format,
	host: 'chat.example.com',
	path: '/hooks/secret',
	success: { body: 'ok' },
	refusals: {
		'HTTP 400 web.incoming_webhook.invalid.app_error': {
			status: 400,
			body: '{"id":"web.incoming_webhook.invalid.app_error","message":"Invalid webhook.","status_code":400}',
			permanent: true,
		},
		'HTTP 403': { status: 403, body: 'Ana Ruiz', permanent: true },
		'HTTP 501': { status: 501, body: '', permanent: false },
		'HTTP 200 without ok': { body: '<html>Sign in', permanent: false },
	},
	visible: (body) => visibleMarkdown(textIn(body)).replaceAll('\u2060', ''),
	active: (body) => [
		...markupIn(textIn(body)),
		...mattermostMentions(visibleMarkdown(textIn(body))),
		...slackTokens(textIn(body)),
	],
	sizes: (body) => [['text', textIn(body).length, 16_383]],
};

/** Splits a post as the server does to find mentions: server/channels/app/mention_parser_standard.go of Mattermost. */
function mattermostMentions(text: string): string[] {
	const words = text.split(/[^:.\-_@\p{L}\p{N}]+/u).map((word) => word.replace(/^[:.\-_]+/, ''));
	return [...words, ...words.flatMap((word) => word.split(/[.:-]/))].filter((word) => /^@./.test(word));
}

const slackTokens = (text: string) => text.match(/<!?[^>]*>/g) ?? [];

/** Returns all active Markdown except title, labels and quotation. A link that shows its target hides nothing. */
function markupIn(text: string): string[] {
	const found: string[] = [];
	walkTokens(lexer(text, { gfm: true, breaks: true }), (token) => {
		if (!harmless(token)) found.push(token.type);
	});
	return found;
}

function harmless(token: Token): boolean {
	switch (token.type) {
		case 'heading':
			return (token as { depth: number }).depth === 4;
		case 'strong':
			return /^\*\*[A-Z][A-Za-z ]*:\*\*$/.test(token.raw);
		case 'link':
			return !token.raw.startsWith('[') && !token.raw.startsWith('<');
		default:
			return ['paragraph', 'text', 'escape', 'br', 'blockquote', 'space'].includes(token.type);
	}
}

function visibleMarkdown(text: string): string {
	const parts: string[] = [];
	const collect = (tokens: Token[]) => {
		for (const token of tokens) {
			if ('tokens' in token && token.tokens) collect(token.tokens);
			else if ('text' in token) parts.push(String(token.text));
			else parts.push('\n');
			if (token.type === 'paragraph' || token.type === 'heading') parts.push('\n');
		}
	};
	collect(lexer(text, { gfm: true, breaks: true }));
	return unescaped(parts.join(''));
}

const textIn = (body: string) => (JSON.parse(body) as { text: string }).text;
