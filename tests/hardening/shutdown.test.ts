import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test(
	'on SIGTERM under load, what was accepted is answered and delivered, and the server exits with 0',
	{ timeout: 60_000 },
	async () => {
		await using folder = await temporaryFolder();
		await using receiver = await startWebhookReceiver();
		const settings = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off' };
		await using server = await startServer(settings);
		const accepted: string[] = [];
		const statuses = new Set<number>();
		const clients = Array.from({ length: 20 }, async () => {
			for (;;) {
				const message = randomUUID();
				const response = await post(server.url, message).catch(() => undefined);
				if (response === undefined) return;
				statuses.add(response.status);
				accepted.push(message);
			}
		});
		await receiver.received(50);
		server.process.signal('SIGTERM');
		await Promise.all(clients);
		expect(await server.process.exit()).toBe(0);
		expect([...statuses]).toEqual([200]);

		await using again = await startServer(settings);
		const missing = () => accepted.filter((message) => !receiver.requests.some(({ body }) => body.includes(message)));
		await expect.poll(missing, { timeout: 30_000 }).toEqual([]);
		expect(again.process.log.filter(({ level }) => level === 'error')).toEqual([]);
	},
);

const post = (url: string, message: string) =>
	fetch(`${url}/api/contact`, {
		method: 'POST',
		body: JSON.stringify({ name: 'Ana Ruiz', clinic: 'Sol', email: 'ana@clinicasol.example', consent: 'on', message }),
		headers: { 'content-type': 'application/json' },
	});
