import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { type Answer, json } from '../../../src/http/answer.ts';
import { problem } from '../../../src/http/problem.ts';
import { fieldErrors } from '../../../src/lead/field-error.ts';
import { leadSchema } from '../../../src/lead/lead.ts';
import { deploy } from '../../../src/server/deployment.ts';
import { secured } from '../../../src/server/send.ts';
import { copyIn, languageFor } from '../../../src/service/load.ts';
import { status } from '../../../src/status/status.ts';

/**
 * The API as it would be written with Fastify: the same schema, the same lead pipeline, the same answers and one log line for each
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

app.post<{ Body: Record<string, unknown> }>('/api/contact', { onResponse: logAnswer }, async ({ body }, reply) => {
	const checked = leadSchema.safeParse(body);
	if (!checked.success) {
		const errors = fieldErrors(checked.error, body, copyIn(languageFor(body['lang'])));
		return send(
			reply,
			problem('invalid-lead', { errors: errors.map(({ field, code, detail }) => ({ pointer: `#/${field}`, code, detail })) }),
		);
	}
	const taken = await contact.intake.take(checked.data);
	return send(reply, taken === 'taken' ? json(200, { ok: true }) : problem('unavailable'));
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
