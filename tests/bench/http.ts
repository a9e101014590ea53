import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { leadOf } from '../support/post-lead.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { type Contender, startOurs, startProgram } from './contender.ts';
import { type Load, rateOf } from './load.ts';
import { record, type Recording } from './recording.ts';
import { YARDSTICKS } from './yardsticks/build.ts';

const BARE = 'bare node:http';
const STATUS = '/api/status';
const DOCUMENTS = ['/contact', '/openapi.json'];
const FOLDER = 'var/bench';

/** Compares requests a second: status and documents with bare Node, leads with Fastify. */
export async function http(): Promise<Comparison[]> {
	return [...(await reads()), ...(await leads())];
}

async function reads(): Promise<Comparison[]> {
	await using servers = new AsyncDisposableStack();
	await using receiver = await startInstantReceiver();
	const ours = servers.use(await startOurs({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url }));
	const bare = servers.use(await startBare(await recordingsOf(ours.url)));
	const fastify = servers.use(await startFastify(ours));

	const at = { yardstick: BARE, path: STATUS, target: { least: 0.85 } };
	const comparisons: Comparison[] = [await compare(`GET ${STATUS}`, { [BARE]: bare, [OURS]: ours, Fastify: fastify }, at)];
	for (const path of DOCUMENTS)
		comparisons.push(await compare(`GET ${path}`, { [BARE]: bare, [OURS]: ours }, { ...at, target: { least: 0.8 }, path }));
	return comparisons;
}

async function leads(): Promise<Comparison[]> {
	mkdirSync(FOLDER, { recursive: true });
	const folder = mkdtempSync(path.join(FOLDER, 'http-'));
	await using receiver = await startInstantReceiver();
	const at = { yardstick: 'Fastify', path: '/api/contact' };
	const comparisons: Comparison[] = [];
	{
		await using ours = await startOurs({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		await using fastify = await startFastify(ours, { WEBHOOK: receiver.url });
		await requireSameAnswers(ours, fastify);
		const both = { Fastify: fastify, [OURS]: ours };
		comparisons.push(await compare('POST a lead, no store', both, { ...at, target: { least: 1 }, lead }));
		comparisons.push(
			await compare('POST an invalid lead', both, { ...at, target: { least: 0.9 }, lead: invalid, refused: true }),
		);
	}
	{
		await using ours = await startOurs({ LEAD_STORE: `sqlite:${folder}/ours.db`, LEAD_WEBHOOK_URL: receiver.url });
		await using fastify = await startFastify(ours, { WEBHOOK: receiver.url, DATABASE: `${folder}/fastify.db` });
		const both = { Fastify: fastify, [OURS]: ours };
		comparisons.push(await compare('POST a lead, SQLite', both, { ...at, target: { least: 1 }, lead }));
	}
	rmSync(folder, { recursive: true });
	return comparisons;
}

const lead = JSON.stringify(leadOf({ message: 'UNIQUE' }));
const invalid = JSON.stringify(leadOf({ email: 'nobody', message: 'UNIQUE' }));

type Wanted = Pick<Comparison, 'yardstick' | 'target'> & Load & { path: string };

/** Measures the rate of each contender while the others stand still. */
async function compare(what: string, contenders: Record<string, Contender>, { yardstick, target, path, ...load }: Wanted) {
	const measures = await Promise.all(
		Object.entries(contenders).map(async ([name, contender]) => {
			const label = load.lead || path === STATUS ? name : `${name}, ${sent(await record(contender.url, path))}`;
			return [label, name, contender] as const;
		}),
	);
	for (const contender of Object.values(contenders)) contender.pause();
	const values = await inTurns(
		Object.fromEntries(
			measures.map(([, name, contender]) => [
				name,
				async () => {
					contender.resume();
					const rate = await rateOf(contender.url + path, load);
					contender.pause();
					return rate;
				},
			]),
		),
	);
	for (const contender of Object.values(contenders)) contender.resume();
	const labels = Object.fromEntries(measures.map(([label, name]) => [name, label]));
	return { what, unit: '/s', yardstick, target, values, labels } as const;
}

const sent = ({ headers, body }: Recording) =>
	`${headers['content-encoding'] ?? 'plain'}, ${(Buffer.byteLength(body, 'base64') / 1000).toFixed(1)} kB`;

/** Records our server's answers, for the bare server to repeat. */
export const recordingsOf = (url: string): Promise<Recording[]> =>
	Promise.all([STATUS, ...DOCUMENTS].map((address) => record(url, address)));

/** Starts a server that only sends these answers from memory. */
export function startBare(recordings: Recording[]): Promise<Contender> {
	mkdirSync(FOLDER, { recursive: true });
	const file = `${FOLDER}/recordings.json`;
	writeFileSync(file, JSON.stringify(recordings));
	return startProgram(`${YARDSTICKS}/bare.js`, { RECORDINGS: file });
}

/** Starts Fastify with the headers of our answers. */
async function startFastify(ours: Contender, env: Record<string, string> = {}): Promise<Contender> {
	const answers = await answersOf(ours);
	const headers = Object.fromEntries(Object.entries(answers).map(([kind, answer]) => [kind, answer.headers]));
	writeFileSync(`${FOLDER}/headers.json`, JSON.stringify(headers));
	return startProgram(`${YARDSTICKS}/fastify.js`, { HEADERS: `${FOLDER}/headers.json`, ...env });
}

/** Node.js and Fastify write these by themselves. */
const written = new Set(['connection', 'content-length', 'date', 'keep-alive']);

async function answersOf({ url }: Contender) {
	const post = (body: string) =>
		fetch(`${url}/api/contact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
	const responses = { status: await fetch(url + STATUS), accepted: await post(lead), invalid: await post(invalid) };
	const entries = Object.entries(responses).map(async ([kind, response]) => {
		// Fastify adds a charset, which JSON does not have.
		const sent = [...response.headers].map(([name, value]) => [name, value.replace('; charset=utf-8', '')]);
		const headers = Object.fromEntries(sent.filter(([name]) => !written.has(name!)));
		return [kind, { status: response.status, headers, body: await response.text() }] as const;
	});
	return Object.fromEntries(await Promise.all(entries));
}

/** @throws {Error} the two send different answers */
async function requireSameAnswers(ours: Contender, other: Contender): Promise<void> {
	const [{ status: _, ...wanted }, { status: __, ...sent }] = await Promise.all([answersOf(ours), answersOf(other)]);
	if (!isDeepStrictEqual(wanted, sent))
		throw new Error(`The yardstick does not send what we send:\n${JSON.stringify({ wanted, sent }, null, 2)}`);
}

/** Starts a receiver that accepts everything at once. `channel` is its name as a channel. */
export async function startInstantReceiver() {
	const server = createServer((request, response) => {
		request.resume().once('end', () => response.end('ok'));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/leads`,
		channel: `json:127.0.0.1:${port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
