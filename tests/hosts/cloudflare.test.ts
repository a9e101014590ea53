import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onFreePorts } from '../support/listening.ts';
import { postLead } from '../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { TestProcess } from '../support/process.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { overTcp, testHost } from './contract.ts';
import { tool } from './support/tools.ts';

testHost({
	name: 'Cloudflare Workers, with a database behind Hyperdrive',
	serves: 'everything',
	start: ({ LEAD_STORE, ...settings }) => startWrangler(settings, LEAD_STORE),
	trusted: 'cf-connecting-ip',
});

test('Cloudflare Workers refuse each lead while the database is away, and say in their log which one', async () => {
	await using running = await startWrangler({ LEAD_STORE: 'postgres://nobody@127.0.0.1:1/nothing', LEAD_RATE_LIMIT: 'off' });
	for (const message of ['one', 'another']) expect((await postLead(running.url, { message })).status).toBe(503);
	await expect.poll(() => running.program.output).toContain('database nothing on 127.0.0.1');
});

test.skipIf(postgresMissing)('the cron trigger of Cloudflare Workers tries what is due', async () => {
	await using postgres = await startPostgres();
	await using database = await overTcp(await postgres.createDatabase());
	await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 503 : 200 }));
	await using running = await startWrangler({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RETRY: '1h' }, database.url);
	expect((await postLead(running.url)).status).toBe(200);
	await using client = await connectedTo(database.url);
	const states = async () => (await client.query(`SELECT state, tries FROM lead_deliveries`)).rows;
	await expect.poll(states).toEqual([{ state: 'waiting', tries: 1 }]);
	await client.query('UPDATE lead_deliveries SET due_at = 0');
	expect((await fetch(`${running.url}/cdn-cgi/handler/scheduled`)).status).toBe(200);
	expect(await states()).toEqual([{ state: 'sent', tries: 2 }]);
});

/** Runs the worker and its files in workerd by `wrangler dev`, with these settings. @param database the one behind Hyperdrive */
async function startWrangler(settings: Record<string, string>, database?: string) {
	const folder = await temporaryFolder();
	const { path } = folder;
	cpSync('var/test/dist/hosts/cloudflare', path, { recursive: true });
	if (database !== undefined) {
		// As a build with `HYPERDRIVE_ID` does, with a target on this machine.
		const hyperdrive = [{ binding: 'HYPERDRIVE', id: 'local', localConnectionString: database }];
		const configuration = JSON.parse(readFileSync(`${path}/wrangler.jsonc`, 'utf8')) as object;
		writeFileSync(`${path}/wrangler.jsonc`, JSON.stringify({ ...configuration, hyperdrive }));
	}
	const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
	writeFileSync(`${path}/settings.env`, lines.join('\n'));
	const { started, port } = await onFreePorts(async (port) => {
		const args = [wrangler, ...dev, '--port', String(port)];
		// As at a terminal, so that it ends its runtime too.
		const program = new TestProcess(args, { cwd: path, env: { ...env, HOME: path }, end: 'INT' });
		return program.answers(`http://127.0.0.1:${port}/api/status`);
	});
	return { url: `http://127.0.0.1:${port}`, program: started, ...disposing(started, folder) };
}

const wrangler = tool('wrangler/bin/wrangler.js');
const quietly = '--inspector-port 0 --show-interactive-dev-session false';
const dev = `dev --local --env-file settings.env --ip 127.0.0.1 ${quietly}`.split(' ');
/** Keeps wrangler from asking for data, and from sending reports. */
const env = { CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', NO_COLOR: '1' };
