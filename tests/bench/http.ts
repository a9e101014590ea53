import { fetchRaw } from '../support/fetch-raw.ts';
import { serve } from '../support/listening.ts';
import { leadOf } from '../support/post-lead.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { ACCEPT_ENCODING, type Contender, costOf, type Load, rateOf, startOurs, startProgram } from './contender.ts';

const BARE = 'bare node:http';
const FASTIFY = 'Fastify';
const GROUPING = 'Fastify, group commit';
const STATUS = '/api/status';
const DOCUMENTS = ['/contact', '/openapi.json'];

/** Compares status and documents with bare Node, leads with Fastify: README.md says by which time. */
export async function http(): Promise<Comparison[]> {
	await using receiver = await startInstantReceiver();
	await using servers = new AsyncDisposableStack();
	await using folder = await benchFolder();
	const leads = { WEBHOOK: receiver.url, LEAD_WEBHOOK_URL: receiver.url };
	const startAll = async (own: Record<string, string>, fastify: Record<string, Record<string, string>>) => {
		const started: Record<string, Contender> = {};
		for (const [name, env] of Object.entries(fastify))
			started[name] = servers.use(await startProgram('tests/bench/yardsticks/fastify.js', { ...leads, ...env }));
		return { ...started, [OURS]: servers.use(await startOurs({ ...leads, ...own })) };
	};
	const comparisons: Comparison[] = [];
	const add = (what: string, target: number | undefined, values: Comparison['values']) =>
		comparisons.push({ what, unit: '/s', target, values });

	const direct = await startAll({ LEAD_STORE: 'none' }, { [FASTIFY]: {} });
	const unlimited = { LEAD_RATE_LIMIT: 'off' };
	const uncounted = await startAll({ LEAD_STORE: 'none', ...unlimited }, { [FASTIFY]: unlimited });
	const ours = direct[OURS];
	const bare = { [BARE]: servers.use(await startBare(await recordingsOf(ours))), [OURS]: ours };
	add(`GET ${STATUS}`, 0.95, await rates({ [BARE]: bare[BARE], ...direct }, STATUS));
	for (const path of DOCUMENTS) {
		const { headers, body } = await record(ours, path);
		const size = `${headers['content-encoding']}, ${(Buffer.byteLength(body, 'base64') / 1000).toFixed(1)} kB`;
		add(`GET ${path}, ${size}`, 0.9, await rates(bare, path));
	}
	const lead = JSON.stringify(leadOf({ message: 'UNIQUE' }));
	const invalid = JSON.stringify(leadOf({ email: 'nobody', message: 'UNIQUE' }));
	add('POST a lead, no store', 1, await rates(direct, '/api/contact', { lead }, paceOf));
	const refused = { lead: invalid, refused: true };
	add('POST an invalid lead', 0.9, await rates(direct, '/api/contact', refused));
	add('POST an invalid lead, no limit', 0.9, await rates(uncounted, '/api/contact', refused));
	const databases = {
		[FASTIFY]: { DATABASE: `${folder.path}/one.db` },
		[GROUPING]: { DATABASE: `${folder.path}/group.db`, GROUP_COMMIT: 'yes' },
	};
	const durable = await startAll({ LEAD_STORE: `sqlite:${folder.path}/ours.db` }, databases);
	const { [FASTIFY]: one, [GROUPING]: group, ...own } = await rates(durable, '/api/contact', { lead }, paceOf);
	add('POST a lead, SQLite', 2.5, { [FASTIFY]: one!, ...own });
	add('POST a lead, SQLite', undefined, { [GROUPING]: group!, ...own });
	return comparisons;
}

/** Measures from the start of the process to its first 200, with the default store. */
export async function start(): Promise<Comparison[]> {
	await using folder = await benchFolder();
	const ours = () => startOurs({ LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/' });
	const recordings = await withServer(ours, recordingsOf);
	const timeOf = (open: () => Promise<Contender>) => () => withServer(open, async ({ started }) => started);
	const values = await inTurns({ [BARE]: timeOf(() => startBare(recordings)), [OURS]: timeOf(ours) }, 9);
	return [{ what: 'start to first 200', unit: 'ms', target: 1.6, values }];
}

export async function withServer<Result>(open: () => Promise<Contender>, measure: (server: Contender) => Promise<Result>) {
	await using server = await open();
	return await measure(server);
}

/** Measures the rate of each contender while the others stand still. */
async function rates(contenders: Record<string, Contender>, path: string, load?: Load, speed = speedOf) {
	for (const contender of Object.values(contenders)) contender.pause();
	const measure = async (contender: Contender) => {
		contender.resume();
		const rate = await speed(contender, path, load);
		contender.pause();
		return rate;
	};
	const measures = Object.entries(contenders).map(([name, contender]) => [name, () => measure(contender)]);
	const values = await inTurns(Object.fromEntries(measures) as Record<string, () => Promise<number>>);
	for (const contender of Object.values(contenders)) contender.resume();
	return values;
}

const speedOf = async (...asked: Parameters<typeof costOf>) => 1e6 / (await costOf(...asked));
const paceOf = ({ url }: Contender, path: string, load?: Load) => rateOf(url + path, load);

/** Node.js adds these by itself. */
const added = new Set(['date', 'connection', 'keep-alive']);

/** Records one answer of a server, to repeat byte by byte, with its body as it is sent. */
async function record({ url }: Contender, path: string) {
	const answer = await fetchRaw(url + path, { headers: { 'accept-encoding': ACCEPT_ENCODING } });
	const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !added.has(name)));
	return { path, status: answer.status, headers, body: answer.body.toString('base64') };
}

const recordingsOf = (server: Contender) => Promise.all([STATUS, ...DOCUMENTS].map((path) => record(server, path)));

const startBare = (recordings: Awaited<ReturnType<typeof recordingsOf>>) =>
	startProgram('tests/bench/yardsticks/bare.js', { RECORDINGS: JSON.stringify(recordings) });

/** Makes a folder on the project's disk, as the real store has: the usual one may be in memory. */
export const benchFolder = () => temporaryFolder('var/bench');

/** Starts a receiver that accepts everything at once. `channel` is its name as a channel. */
export async function startInstantReceiver() {
	const server = await serve((request, response) => request.resume().once('end', () => response.end('ok')));
	return { ...server, channel: `json:${new URL(server.url).host}` };
}
