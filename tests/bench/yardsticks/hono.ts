import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { secured } from '../../../src/server/http/send.ts';
import { status } from '../../../src/operations/status.ts';

/** The health check as it would be written with Hono. */
const app = new Hono();
app.get('/api/status', (context) => {
	const { headers, body } = status();
	return context.body(body, 200, { ...secured, ...headers });
});
serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' });
