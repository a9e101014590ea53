import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { type Answer, json } from '../../../src/http/answer.ts';
import { problem } from '../../../src/http/problem.ts';
import { receive } from '../../../src/lead/receive.ts';
import { deploy } from '../../../src/server/deployment.ts';
import { secured } from '../../../src/server/send.ts';
import { status } from '../../../src/status/status.ts';

/**
 * The API as it would be written with Fastify: the same schema, the same work behind it, the same answers and one log line for each
 * lead; its own routing, body parser and reply.
 */
const { contact, log, settings } = await deploy({ local: false });
const app = Fastify({
	bodyLimit: 65_536,
	loggerInstance: log,
	logController: new LogController({ disableRequestLogging: true }),
	genReqId: () => crypto.randomUUID(),
});

app.get('/api/status', (_request, reply) => send(reply, status()));

app.post('/api/contact', { onResponse: logAnswer }, async ({ body, ip }, reply) => {
	const { outcome } = await receive({ input: body, client: ip, idempotencyKey: undefined }, contact);
	if (outcome.kind === 'accepted') return send(reply, json(200, { ok: true }));
	if (outcome.kind !== 'invalid') return send(reply, problem('unavailable'));
	const errors = outcome.errors.map(({ field, code, detail }) => ({ pointer: `#/${field}`, code, detail }));
	return send(reply, problem('invalid-lead', { errors }));
});

await app.listen({ port: settings.port, host: settings.host });

function send(reply: FastifyReply, { status, headers, body }: Answer) {
	return reply
		.code(status)
		.headers({ ...secured, ...headers })
		.send(body);
}

async function logAnswer({ id, method, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> {
	const duration = Math.round(reply.elapsedTime);
	log.info({ request: id, method, route: routeOptions.url, status: reply.statusCode, duration }, 'Answered.');
}
