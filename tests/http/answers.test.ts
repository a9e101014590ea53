import { describe } from 'vitest';
import { answersAnywhere, type Asked, furtherAnswers, testAnswers } from '../support/answers.ts';
import { form, json, lead } from '../support/post-lead.ts';
import { startDevelopment, startServer, startFunction } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const sameOrigin = { 'cross-origin-resource-policy': 'same-origin' };

const pages: Asked[] = [
	['a page', 200, '/contact', {}, sameOrigin],
	['the home page', 200, '/', {}, sameOrigin],
	['a page with a view of its own', 200, '/docs/api/explorer'],
	['a page, for HEAD', 200, '/contact', { method: 'HEAD' }],
	['a page in Markdown', 200, '/docs/api.md', {}, { 'access-control-allow-origin': '*' }],
	['a document', 200, '/openapi.json'],
	['a document in plain text', 200, '/llms.txt'],
	['a document without an extension', 200, '/.well-known/api-catalog'],
	['an image', 200, '/favicon.svg'],
	['a page that is known already', 304, '/contact', { headers: { 'if-none-match': '*' } }],
	['a page with a slash too many', 308, '/contact/'],
	['no page', 404, '/nowhere'],
	['no page in Markdown', 404, '/nowhere', { headers: { accept: 'text/markdown' } }],
	['no page as JSON', 404, '/nowhere', { headers: { accept: 'application/json' } }],
	['a page that takes no post', 405, '/contact', { method: 'POST' }, { allow: 'GET, HEAD' }],
];

/** Answers of a function, which has no pages. */
const noPages: Asked[] = [
	['a page', 404, '/contact'],
	['what is posted to a page', 405, '/contact', { method: 'POST' }],
];

/** Answers for which there is a limit, and no channel. */
const limited: Asked[] = [
	['a lead that cannot be delivered', 503, '/api/contact', json(lead)],
	['the last', 200, '/api/contact', json({ website: 'last' })],
	['too many', 429, '/api/contact', json({ website: 'z' })],
	['too many, as a page', 429, '/api/contact', form({ website: 'z' })],
];

describe('the server: to', () => {
	const server = shared(() => startServer({ LEAD_RATE_LIMIT: '3/10m' }));
	testAnswers(server, [...pages, ...answersAnywhere, ...furtherAnswers, ...limited]);
});

describe('the function: to', () => {
	const host = shared(() => startFunction());
	testAnswers(host, [...answersAnywhere, ...noPages]);
});

describe('the preview for editors: to', () => {
	const preview = shared(() => startDevelopment());
	testAnswers(preview, answersAnywhere, false);
});
