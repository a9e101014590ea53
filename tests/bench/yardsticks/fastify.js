import { DatabaseSync } from 'node:sqlite';
import rateLimit from '@fastify/rate-limit';
import Fastify, { LogController } from 'fastify';
import { uuidv7 } from 'uuidv7';
import * as z from 'zod';

/**
 * The API as a user of Fastify would write it: zod checks a lead, response schemas write the JSON, all headers are Fastify's own,
 * @fastify/rate-limit counts submissions by address, and each lead has one line in the log. It cleans no text, knows no repeated
 * leads, judges no spam, and tries a webhook once.
 */
const { PORT, WEBHOOK, DATABASE, GROUP_COMMIT, LEAD_RATE_LIMIT } = process.env;

const Lead = z.object({
	name: z.string().trim().min(1).max(120),
	clinic: z.string().trim().min(1).max(160),
	email: z.email().max(254),
	phone: z.string().trim().max(40).optional(),
	country: z.string().trim().max(80).optional(),
	message: z.string().trim().max(5000).optional(),
	consent: z.literal('on'),
	lang: z.string().trim().max(35).optional(),
	source: z.string().trim().max(200).optional(),
	website: z.literal('').optional(),
});

const text = { type: 'string' };
const ok = { type: 'boolean' };
const objectOf = (properties) => ({ type: 'object', properties });
const errors = { type: 'array', items: objectOf({ pointer: text, code: text, detail: text }) };
const problem = objectOf({ type: text, title: text, status: { type: 'integer' }, detail: text, errors });

const save = DATABASE === undefined ? deliver : openDatabase(DATABASE);
const app = Fastify({ logger: true, logController: new LogController({ disableRequestLogging: true }) });
if (LEAD_RATE_LIMIT !== 'off') await app.register(rateLimit, { global: false });

app.get('/api/status', { schema: { response: { 200: objectOf({ ok, service: text, version: text, time: text }) } } }, () => ({
	ok: true,
	service: 'receptionist-website-api',
	version: '1.0.0',
	time: new Date().toISOString(),
}));

const schema = { response: { 200: objectOf({ ok }), 422: problem } };
const logAnswer = async ({ id, method, url }, { statusCode: status, elapsedTime: duration }) =>
	app.log.info({ request: id, method, url, status, duration }, 'Answered.');
const config = { rateLimit: { max: 1e9, timeWindow: '10 minutes' } };
app.post('/api/contact', { schema, config, onResponse: logAnswer }, async ({ body }, reply) => {
	const { success, data, error } = Lead.safeParse(body);
	if (success) {
		await save({ id: uuidv7(), ...data });
		return { ok: true, reference: '7Q4F-K2M9' };
	}
	return reply.code(422).send({
		type: 'https://www.website.test/docs/errors/invalid-lead',
		title: 'The lead is not valid',
		status: 422,
		detail: 'Fix the fields listed in `errors`, and send the lead again.',
		errors: error.issues.map(({ path, message }) => ({ pointer: `#/${path[0]}`, code: `${path[0]}_invalid`, detail: message })),
	});
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });

async function deliver(lead) {
	const body = JSON.stringify({ type: 'lead.received', timestamp: new Date().toISOString(), data: lead });
	const { ok } = await fetch(WEBHOOK, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
	if (!ok) throw new Error('The webhook did not take a lead.');
}

/** Writes a lead to disk before the answer; the delivery follows after it, as many at a time as ours. */
function openDatabase(path) {
	const database = new DatabaseSync(path);
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
	database.exec('CREATE TABLE leads (id TEXT PRIMARY KEY, lead TEXT NOT NULL, delivered INTEGER NOT NULL DEFAULT 0)');
	const insert = database.prepare('INSERT INTO leads (id, lead) VALUES (?, ?)');
	const mark = database.prepare('UPDATE leads SET delivered = 1 WHERE id = ?');
	const commit = GROUP_COMMIT ? groupsOf(database) : async (write) => write();
	const lanes = Array.from({ length: 8 }, () => Promise.resolve());
	let turn = 0;
	return async (lead) => {
		await commit(() => insert.run(lead.id, JSON.stringify(lead)));
		const lane = turn++ % lanes.length;
		const delivered = lanes[lane].then(() => deliver(lead)).then(() => commit(() => mark.run(lead.id)));
		lanes[lane] = delivered.catch((error) => app.log.error(error));
	};
}

/** Commits together what comes within one turn of the event loop. */
function groupsOf(database) {
	let group = [];
	const commit = () => {
		const writes = group;
		group = [];
		database.exec('BEGIN');
		for (const { write } of writes) write();
		database.exec('COMMIT');
		for (const { resolve } of writes) resolve();
	};
	return (write) =>
		new Promise((resolve) => {
			if (group.push({ write, resolve }) === 1) setImmediate(commit);
		});
}
