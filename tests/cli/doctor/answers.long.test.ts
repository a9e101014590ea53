import { expect, test } from 'vitest';
import { origin } from '../../../src/facts/load.ts';
import { NOBODY } from '../../support/listening.ts';
import { runCommand, runDoctor } from '../../support/operator-command.ts';
import type { RawAnswer } from '../../support/fetch-raw.ts';
import { type Spoil, startProxy } from '../../support/front.ts';
import { shared } from '../../support/shared.ts';
import { startFunction, startServer } from '../../support/server.ts';

const server = shared(() => startServer({ LEAD_RATE_LIMIT: 'off' }));
/** Runs the doctor on the server behind a proxy. */
async function examine(spoil: Spoil) {
	await using proxy = await startProxy({ target: server().url, spoil });
	return await runDoctor([proxy.url]);
}

/** Changes the answer to requests for a path. */
const at =
	(wanted: string | RegExp, change: (answer: RawAnswer) => Partial<RawAnswer>): Spoil =>
	async ({ path }, ask) => {
		const answer = await ask();
		return (typeof wanted === 'string' ? path === wanted : wanted.test(path)) ? { ...answer, ...change(answer) } : answer;
	};

const withHeaders = (headers: Record<string, string | undefined>) => (answer: RawAnswer) => ({
	headers: JSON.parse(JSON.stringify({ ...answer.headers, ...headers })) as RawAnswer['headers'],
});

const statusWith = (members: Record<string, unknown>) =>
	at('/api/status', ({ body }) => {
		const text = JSON.stringify({ ...JSON.parse(body.toString()), ...members });
		return { body: Buffer.from(text), headers: { 'content-type': 'application/json' } };
	});

/** Hides that the bytes are compressed. */
const undecoded = ({ headers: { 'content-encoding': _coding, ...headers } }: RawAnswer) => ({ headers });

const unknown = /^\/[\da-f]{8}-[\da-f-]{27}$/;

test('a deployment of what was built has no fault', async () => {
	const { code, complaints, findings } = await examine((_, ask) => ask());
	expect([code, complaints]).toEqual([0, []]);
	const skipped = findings.filter(({ check, outcome }) => outcome === 'skipped' && /^(documents|API)/.test(check));
	expect(skipped).toEqual([]);
});

/** Tells of errors in the host’s own words. */
const inOwnWords: Spoil = async ({ headers }, ask) => {
	const answer = await ask();
	return headers['content-type'] === 'application/json' && answer.status >= 400
		? { ...answer, headers: { 'content-type': 'text/plain' } }
		: answer;
};
const withoutOrigin: Spoil = ({ headers }, ask) => (delete headers['origin'], ask());
const withOtherOrigin: Spoil = ({ headers }, ask) => ((headers['origin'] &&= 'https://proxy.example'), ask());
const withBody = (text: string) => () => ({ headers: {}, body: Buffer.from(text) });
const octets = { 'content-type': 'application/octet-stream' };

test.each<[fault: string, check: string, found: RegExp, spoil: Spoil]>([
	['a page that is missing', 'documents: bytes', /^\/privacy: 404$/, at('/privacy', () => ({ status: 404 }))],
	['bytes that are others', 'documents: bytes', /^\/llms.txt: other bytes$/, at('/llms.txt', undecoded)],
	['a wrong media type', 'documents: headers', /^\/contact.md: content-type is .*octet/, at('/contact.md', withHeaders(octets))],
	['a lost header', 'documents: headers', /^\/docs: no link$/, at('/docs', withHeaders({ link: undefined }))],
	['200 for an unknown address', 'documents: unknown address', /^answered 200, /, at(unknown, () => ({ status: 200 }))],
	['another page there', 'documents: unknown address', /^404 with another/, at(unknown, withBody('No'))],
	['a fifth member of the status', 'API: status', /^not exactly ok, service, version, time: /, statusWith({ host: 'a' })],
	['a status that is no JSON', 'API: status', /^not exactly .*: <p>$/, at('/api/status', withBody('<p>'))],
	['another build behind the API', 'API: status', / 1\.0\.0\+other runs, and /, statusWith({ version: '1.0.0+other' })],
	['errors in the host’s own words', 'API: empty lead', /^422 as text\/plain, not 422 as application\/problem/, inOwnWords],
	['a foreign form that is accepted', 'API: foreign form', /^422 as text\/html.*, not 403 as /, withoutOrigin],
	['an own form that is refused', 'API: own form', /^403 as .*, not 422 as text\/html$/, withOtherOrigin],
])('%s is found, and named with what to do', async (_, check, found, spoil) => {
	const complaint = { check, found: expect.stringMatching(found), advice: expect.stringMatching(/\w/) };
	expect((await examine(spoil)).complaints).toEqual([{ outcome: expect.anything(), ...complaint }]);
});

test('a function that takes no lead is a fault, although it answers all else', async () => {
	await using running = await startFunction({ LEAD_STORE: 'postgres://nobody@127.0.0.1:1/nothing' });
	const { findings } = await runDoctor([running.url]);
	const advice = expect.stringContaining('log of the server or function');
	const found = expect.stringMatching(/^503 as /);
	const tests = findings.filter(({ check }) => check.startsWith('API: test'));
	expect(tests).toEqual([{ check: 'API: test key', outcome: 'fault', found, advice }]);
});

test('a build for another origin is a fault that names both', async () => {
	const { findings } = await runDoctor(['http://elsewhere.invalid']);
	const advice = expect.stringContaining('SITE_URL=http://elsewhere.invalid');
	expect(findings[0]).toEqual({ check: 'origin', outcome: 'fault', found: `the build is for ${origin}`, advice });
});

test('people get a line for each check, advice under it, and a sum', async () => {
	const { code, stdout } = await runCommand('doctor', [`http://${NOBODY}`], { env: { LEAD_STORE: 'none' } });
	expect(code).toBe(1);
	expect(stdout).toMatch(/^- +documents: bytes +the origin does not answer$/m);
	expect(stdout).toMatch(/^FAULT +origin: answers +.*ECONNREFUSED.*\n +See to it that the server runs/m);
	expect(stdout).toMatch(/: 0 ok, 0 to look at, 1 at fault, \d+ not looked at\.\n$/);
});
