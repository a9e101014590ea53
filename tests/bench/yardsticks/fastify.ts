import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import * as z from 'zod';

/**
 * The API as a user would write it with Fastify and zod: a schema and a handler of its own, the same answers to the byte, one log
 * line for each lead. It keeps none of our promises: it does not clean text, knows no repeated leads, and tries a webhook once.
 */
const { PORT, HOST = '127.0.0.1', WEBHOOK = '', DATABASE } = process.env;
/** The headers of our server by kind of answer, so that both send the same. */
const headers = JSON.parse(readFileSync(process.env['HEADERS']!, 'utf8')) as Record<Kind, Record<string, string>>;

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

const details: Record<string, string> = { email: '`email` must be one email address, such as `ana@clinic.example`.' };

type Kind = 'status' | 'accepted' | 'invalid';
const save = DATABASE === undefined ? undefined : openDatabase(DATABASE);

const app = Fastify({
	bodyLimit: 65_536,
	logger: { base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
	logController: new LogController({ disableRequestLogging: true }),
	genReqId: () => randomUUID(),
});

app.get('/api/status', (_request, reply) =>
	send(reply, 200, 'status', { ok: true, service: 'receptionist-website-api', version: '1.0.0', time: new Date().toISOString() }),
);

app.post('/api/contact', { onResponse: logAnswer }, async ({ body }, reply) => {
	const { success, data, error } = Lead.safeParse(body);
	if (success) {
		await (save ? save(data) : deliver(data));
		return send(reply, 200, 'accepted', { ok: true });
	}
	const errors = error.issues.map(({ path: [field] }) => ({
		pointer: `#/${String(field)}`,
		code: `${String(field)}_invalid`,
		detail: details[String(field)],
	}));
	return send(reply, 422, 'invalid', {
		type: 'https://www.website.test/docs/errors/invalid-lead',
		title: 'The lead is not valid',
		status: 422,
		detail: 'Fix the fields listed in `errors`, and send the lead again.',
		errors,
	});
});

await app.listen({ port: Number(PORT), host: HOST });

function send(reply: FastifyReply, status: number, kind: Kind, body: object) {
	return reply.code(status).headers(headers[kind]).send(body);
}

async function deliver(lead: object): Promise<void> {
	const { ok } = await fetch(WEBHOOK, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ type: 'lead.received', timestamp: new Date().toISOString(), data: lead }),
	});
	if (!ok) throw new Error('The webhook did not take a lead.');
}

/** Writes a lead to disk before the answer; the delivery follows after it. */
function openDatabase(path: string): (lead: object) => void {
	const database = new DatabaseSync(path);
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
	database.exec('CREATE TABLE leads (id TEXT PRIMARY KEY, lead TEXT NOT NULL, delivered INTEGER NOT NULL DEFAULT 0)');
	const insert = database.prepare('INSERT INTO leads (id, lead) VALUES (?, ?)');
	const mark = database.prepare('UPDATE leads SET delivered = 1 WHERE id = ?');
	return (lead) => {
		const id = randomUUID();
		insert.run(id, JSON.stringify(lead));
		deliver(lead).then(
			() => mark.run(id),
			(error: unknown) => app.log.error(error),
		);
	};
}

async function logAnswer({ id, method, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> {
	const duration = Math.round(reply.elapsedTime);
	app.log.info({ request: id, method, route: routeOptions.url, status: reply.statusCode, duration }, 'Answered.');
}
