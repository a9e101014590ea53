import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { keyFormOf } from '../../src/facts/key-form.ts';
import { origin, service } from '../../src/facts/load.ts';
import { startKeyKeeping } from '../support/key-keeping.ts';
import { runCommand } from '../support/operator-command.ts';
import { leadOf, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { testWhereIssued as test } from '../support/where-issued.ts';

test('a program asks for a key by the API, gets one by mail, uses it up to its limit, and is refused once it is revoked', async () => {
	await using smtp = await startSmtpServer();
	await using keeping = await startKeyKeeping(smtp.settings);
	await using server = await startServer(keeping.env, [], ['--import', './tests/support/minute-later.ts']);
	const send = (headers: Record<string, string> = {}, fields: Record<string, string> = {}) =>
		postBody(server.url, leadOf({ message: randomUUID(), ...fields }), headers);
	const mailTo = (address: string, turn: number) =>
		expect.poll(() => smtp.mails.filter(({ to }) => to.includes(address))[turn]).toBeDefined();
	const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));

	expect((await send({}, { name: 'Eve', email: 'eve@agents.example', source: 'api-access' })).status).toBe(200);
	await mailTo('sales@website.test', 0);
	const asked = mailsTo('sales@website.test')[0]!.parsed;
	expect(asked.subject).toContain('API access');
	const [, lead] = /keys -- issue --for (\S+)/.exec(asked.text!)!;
	expect((await runCommand('leads', ['list', '--source', 'api-access'], { env: keeping.env })).stdout).toContain(lead);

	const issued = await keeping.keys('issue', '--for', lead!, '--limit', '2/1h', '--send');
	expect(issued.code).toBe(0);
	const reply = mailsTo('eve@agents.example')[0]!.parsed.text!;
	expect(reply).toContain(`authorization_servers: ${origin}`);
	const { pattern } = keyFormOf(service.identifier);
	const key = { authorization: `Bearer ${new RegExp(pattern).exec(reply)![0]}` };
	const [, id] = /Its name, which is no secret: (\w+)/.exec(reply)!;

	const statuses = [];
	for (let turn = 0; turn < 3; turn += 1) statuses.push((await send(key)).status);
	expect(statuses).toEqual([200, 200, 429]);
	await mailTo('sales@website.test', 2);
	expect(mailsTo('sales@website.test')[2]!.parsed.text).toContain(`Sent by: Eve with key ${id}`);
	expect(await keeping.shown(id!)).toMatchObject({ leads: 2, works: true });

	const rotated = JSON.parse((await keeping.keys('rotate', id!, '--json')).stdout) as { id: string; key: string };
	const freshKey = { authorization: `Bearer ${rotated.key}` };
	expect((await send(freshKey)).status).toBe(200);
	await keeping.keys('revoke', rotated.id, '--yes');
	server.process.signal('SIGUSR2');
	await server.process.printed(/A minute has passed/);
	expect((await send(freshKey)).status).toBe(401);
	expect((await send(key)).status).toBe(429);
});
