import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { service } from '../../src/facts/load.ts';
import { doctorOf } from '../support/doctor-command.ts';
import type { PassingAnswer, Spoil } from '../support/spoiling-proxy.ts';
import { shared } from '../support/shared.ts';
import { startServer } from '../support/server.ts';

const server = shared(() => startServer({ LEAD_RATE_LIMIT: 'off' }));
const examine = doctorOf(server);

/** Changes the answer to requests for a path. */
const at =
	(wanted: string | RegExp, change: (answer: PassingAnswer) => Partial<PassingAnswer>): Spoil =>
	async ({ path }, ask) => {
		const answer = await ask();
		return (typeof wanted === 'string' ? path === wanted : wanted.test(path)) ? { ...answer, ...change(answer) } : answer;
	};

const withHeaders = (headers: Record<string, string | undefined>) => (answer: PassingAnswer) => ({
	headers: Object.fromEntries(Object.entries({ ...answer.headers, ...headers }).filter(([, value]) => value !== undefined)),
});

const statusWith =
	(members: Record<string, unknown>) =>
	({ status, body }: PassingAnswer) => {
		if (status !== 200) return {};
		const text = JSON.stringify({ ...JSON.parse(body.toString()), ...members });
		return {
			body: Buffer.from(text),
			headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) },
		};
	};

const everywhere = /^/;
const asFound = (): PassingAnswer => ({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>Welcome') });

/** Answers for a path with another page. */
const foundAt =
	(wanted: RegExp): Spoil =>
	async ({ path }, ask) =>
		wanted.test(path) ? asFound() : ask();

/** Removes a header from each request. */
const unheard =
	(name: string): Spoil =>
	({ headers }, ask) => (delete headers[name], ask());

test('of what is deployed as it was built nothing is complained of', async () => {
	const { code, complaints, findings } = await examine();
	expect(complaints).toEqual([]);
	expect(code).toBe(0);
	const skipped = findings.filter(({ check, outcome }) => outcome === 'skipped' && /^(documents|addresses|API)/.test(check));
	expect(skipped.map(({ check }) => check)).toEqual(service.keys === 'issued' ? [] : ['API: made-up key']);
});

/** Changes the first byte of a document before its compression. */
const otherByte: Spoil = async ({ path, headers }, ask) => {
	if (path !== '/llms-full.txt') return ask();
	delete headers['accept-encoding'];
	const answer = await ask();
	if (answer.status === 304) return answer;
	answer.body[0]! ^= 1;
	const body = gzipSync(answer.body);
	return { ...answer, body, ...withHeaders({ 'content-encoding': 'gzip', 'content-length': String(body.length) })(answer) };
};

/** The faults, each with the check that finds it and the finding. */
const faults: Record<string, [check: string, found: RegExp, spoil: Spoil]> = {
	'a page that is missing': ['documents', /^\/privacy: 404$/, at('/privacy', () => ({ status: 404 }))],
	'a wrong media type': [
		'documents: media types',
		/^\/.well-known\/api-catalog: application\/octet-stream, not application\/linkset/,
		at('/.well-known/api-catalog', withHeaders({ 'content-type': 'application/octet-stream' })),
	],
	'a header that is lost': ['documents: headers', /^\/docs: no link$/, at('/docs', withHeaders({ link: undefined }))],
	'a header that is another': [
		'documents: headers',
		/^\/openapi.json: another cache-control$/,
		at('/openapi.json', withHeaders({ 'cache-control': 'public, max-age=3600' })),
	],
	'a byte that is another': ['documents: bytes', /^\/llms-full.txt: other bytes$/, otherByte],
	'a cache that mixes encodings': [
		'documents: Vary',
		/^\/contact: no Vary$/,
		async ({ path, headers }, ask) => {
			const answer = await ask();
			return path === '/contact' && headers['accept'] === undefined
				? { ...answer, ...withHeaders({ vary: undefined })(answer) }
				: answer;
		},
	],
	'validators that nobody looks at': ['documents: ETag', /: 200, not 304/, unheard('if-none-match')],
	'compression that is off': ['documents: compression', /^sent as they are: /, unheard('accept-encoding')],
	'a host’s file that is public': ['addresses: nothing else', /^\/_headers$/, foundAt(/^\/_headers$/)],
	'200 for an unknown address': [
		'addresses: unknown',
		/^\/… answered 200, not 404$/,
		at(/^\/[\da-f]{8}-[\da-f-]{27}$/, () => ({ status: 200 })),
	],
	'an unknown address that is answered in another language': [
		'addresses: unknown',
		/^below \/de\/ 404 with another page than ours$/,
		at(/^\/de\/[\da-f]{8}-[\da-f-]{27}$/, ({ body }) => ({ body: Buffer.alloc(body.length) })),
	],
	'errors without policies': [
		'addresses: unknown',
		/content-security-policy/,
		at(/^\/[\da-f]{8}-[\da-f-]{27}$/, withHeaders({ 'content-security-policy': undefined })),
	],
	'a fifth member of the status': [
		'API: status',
		/^host, ok, service, time, version, not exactly/,
		at('/api/status', statusWith({ host: 'a' })),
	],
	'another build behind the API': [
		'API: version',
		/^1\.0\.0\+other runs, and /,
		at('/api/status', statusWith({ version: '1.0.0+other' })),
	],
	'a foreign form that is accepted': ['API: foreign form', /^answered 422, not 403$/, unheard('origin')],
	'an own form that is refused': [
		'API: own form',
		/^answered 403, not 422$/,
		({ headers }, ask) => (headers['origin'] === undefined ? ask() : ((headers['origin'] = 'https://proxy.example'), ask())),
	],
	'errors in the host’s own words': [
		'API: unknown operation',
		/as text\/html, not application\/problem\+json/,
		at('/api/no-such-operation', withHeaders({ 'content-type': 'text/html' })),
	],
	'a limit of the host’s own': [
		'API: too large',
		/^answered 502, not 413$/,
		async ({ body }, ask) => (body.length > 60_000 ? { ...asFound(), status: 502 } : ask()),
	],
	'credentials that a proxy swallows': ['API: made-up key', /^answered 422, not 401$/, unheard('authorization')],
	'a link that leads nowhere': [
		'addresses: links',
		/^\/api\/contact: 404$/,
		async ({ method, path }, ask) => ({
			...(await ask()),
			...(method === 'GET' && path === paths.submitLead && { status: 404 }),
		}),
	],
	'a server that tells its version': [
		'host: server name',
		/^server: nginx\/1\.22\.1$/,
		at(everywhere, withHeaders({ server: 'nginx/1.22.1' })),
	],
};

const looked = Object.entries(faults).filter(([, [check]]) => service.keys === 'issued' || check !== 'API: made-up key');

test.each(looked)('%s is found, and named with what to do', async (_, [check, found, spoil]) => {
	const { complaints } = await examine({ spoil });
	expect(complaints).toContainEqual({
		check,
		outcome: expect.anything(),
		found: expect.stringMatching(found),
		advice: expect.stringMatching(/\w/),
	});
	expect(complaints.map((complaint) => complaint.check).filter((name) => name !== check)).toEqual([]);
});

test.each([
	['about to expire', 12, 'warning', /^1[12] days left$/],
	['expired', -2, 'fault', /^it has ended$/],
])('a security.txt that is %s is told of', async (_, days, outcome, found) => {
	const expires = new Date(Date.now() + days * 86_400_000).toISOString();
	const body = Buffer.from(`Contact: mailto:security@website.test\nExpires: ${expires}\n`);
	const { findings } = await examine({
		spoil: async ({ path }, ask) => (path === paths.securityTxt ? { ...asFound(), body } : ask()),
	});
	expect(findings).toContainEqual(
		expect.objectContaining({ check: 'security.txt', outcome, found: expect.stringMatching(found) }),
	);
});
