// receiver.mjs: node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const key = Buffer.from(process.env.LEAD_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
mkdirSync('leads', { recursive: true });

createServer((request, response) =>
	receive(request).then(
		(status) => response.writeHead(status).end(),
		() => response.writeHead(500).end(),
	),
).listen(8080, '127.0.0.1', () => console.log('It waits for leads.'));

async function receive(request) {
	const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = request.headers;
	const body = await text(request);
	const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`);
	const given = signatures.split(' ').map((signature) => Buffer.from(signature));
	const genuine = given.some((signature) => signature.length === wanted.length && timingSafeEqual(signature, wanted));
	if (!genuine || !(Math.abs(Date.now() / 1000 - time) < 300)) return 401;
	writeFileSync(`leads/${id}.json`, body);
	return 204;
}
