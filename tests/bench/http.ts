import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { freePort, nginxMissing, startNginx } from '../support/nginx.ts';
import { leadOf } from '../support/post-lead.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { type Contender, startOurs, startProgram } from './contender.ts';
import { type Load, rateOf, toServersCore } from './load.ts';
import { record, type Recording } from './recording.ts';
import { buildPlainAstro, YARDSTICKS } from './yardsticks/build.ts';

const BARE = 'bare node:http';
const STATUS = '/api/status';
const DOCUMENTS = ['/contact', '/openapi.json'];
const FOLDER = 'var/bench';

/** Requests a second: the health check and documents against bare Node, leads against Fastify. */
export async function http(): Promise<Comparison[]> {
	await buildPlainAstro();
	return [...(await reads()), ...(await leads())];
}

async function reads(): Promise<Comparison[]> {
	await using servers = new AsyncDisposableStack();
	const ours = servers.use(await startOurs({ LEAD_STORE: 'none' }));
	const bare = servers.use(await startBare(await recordingsOf(ours.url)));
	const fastify = servers.use(await startFastify({ LEAD_STORE: 'none' }));
	const hono = servers.use(await startProgram(`${YARDSTICKS}/hono.js`));
	const astro = servers.use(await startProgram(`${YARDSTICKS}/astro/server/entry.mjs`));
	const nginx = nginxMissing ? undefined : servers.use(await startStaticNginx());

	const comparisons: Comparison[] = [
		await compare(
			`GET ${STATUS}`,
			{ [BARE]: bare, [OURS]: ours, Fastify: fastify, 'Hono (node-server)': hono, '@astrojs/node': astro },
			{
				yardstick: BARE,
				target: { least: 0.85 },
				path: STATUS,
			},
		),
	];
	for (const document of DOCUMENTS)
		comparisons.push(
			await compare(
				`GET ${document}`,
				{ [BARE]: bare, [OURS]: ours, '@astrojs/node': astro, ...(nginx && { 'nginx, one worker': nginx }) },
				{ yardstick: BARE, target: { least: 0.8 }, path: document },
			),
		);
	return comparisons;
}

async function leads(): Promise<Comparison[]> {
	mkdirSync(FOLDER, { recursive: true });
	const folder = mkdtempSync(path.join(FOLDER, 'http-'));
	await using receiver = await startInstantReceiver();
	const lead = JSON.stringify(leadOf({ message: 'UNIQUE' }));
	const invalid = JSON.stringify(leadOf({ email: 'nobody', message: 'UNIQUE' }));
	const at = { yardstick: 'Fastify', target: { least: 1 }, path: '/api/contact' };
	const comparisons: Comparison[] = [];
	{
		await using ours = await startOurs({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		await using fastify = await startFastify({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		const both = { Fastify: fastify, [OURS]: ours };
		comparisons.push(await compare('POST a lead, no store', both, { ...at, lead }));
		comparisons.push(await compare('POST an invalid lead', both, { ...at, lead: invalid, refused: true }));
	}
	{
		const env = (name: string) => ({ LEAD_STORE: `sqlite:${folder}/${name}.db`, LEAD_WEBHOOK_URL: receiver.url });
		await using ours = await startOurs(env('ours'));
		await using fastify = await startFastify(env('fastify'));
		comparisons.push(await compare('POST a lead, SQLite', { Fastify: fastify, [OURS]: ours }, { ...at, lead }));
	}
	rmSync(folder, { recursive: true });
	return comparisons;
}

type Wanted = Pick<Comparison, 'yardstick' | 'target'> & Load & { path: string };

/** Of each contender: its rate, while the others stand still. */
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

/** What our server sends, for the bare one to send again. */
export const recordingsOf = (url: string): Promise<Recording[]> =>
	Promise.all([STATUS, ...DOCUMENTS].map((address) => record(url, address)));

/** A server that sends these answers from memory and does nothing else. */
export function startBare(recordings: Recording[]): Promise<Contender> {
	mkdirSync(FOLDER, { recursive: true });
	const file = `${FOLDER}/recordings.json`;
	writeFileSync(file, JSON.stringify(recordings));
	return startProgram(`${YARDSTICKS}/bare.js`, { RECORDINGS: file });
}

const startFastify = (env: Record<string, string>) =>
	startProgram(`${YARDSTICKS}/fastify.js`, { LEAD_RATE_LIMIT: 'off', ...env });

/** Debian's nginx, which knows gzip and not brotli, with the snippet that the build makes. It shares the servers' core. */
async function startStaticNginx(): Promise<Contender> {
	const port = await freePort();
	const nginx = await startNginx(`server {
		listen 127.0.0.1:${port};
		root ${path.resolve('var/test/dist/client')};
		include ${path.resolve('var/test/dist/nginx.conf')};
		access_log off;
		keepalive_requests 1000000;
	}`);
	const master = readFileSync(path.join(nginx.folder, 'nginx.pid'), 'utf8').trim();
	toServersCore(execFileSync('pgrep', ['-P', master], { encoding: 'utf8' }).trim());
	return {
		url: `http://127.0.0.1:${port}`,
		pid: undefined,
		started: 0,
		// It does nothing unless asked.
		pause: () => {},
		resume: () => {},
		[Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose](),
	};
}

/** Takes whatever comes and answers at once. */
async function startInstantReceiver() {
	const server = createServer((request, response) => {
		request.resume().once('end', () => response.end('ok'));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/leads`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
