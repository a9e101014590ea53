import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageWith } from '../../support/lead.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

const run = promisify(execFile);

/** Below the project, so that packages are found from it. */
let copy: string;

beforeAll(async () => {
	await mkdir('var', { recursive: true });
	copy = await mkdtemp(path.resolve('var/readme-'));
	await cp('src', path.join(copy, 'src'), { recursive: true });
	const readme = await readFile('src/lead/README.md', 'utf8');
	for (const [, file, code] of readme.matchAll(/```ts\n\/\/ (src\/\S+)\n([^]*?)```/g))
		await appendFile(path.join(copy, file!), code!);
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Runs a script in the copy of the project and reads what it prints. */
async function result(script: string, ...values: unknown[]): Promise<unknown> {
	const args = ['--input-type=module', '--eval', script, ...values.map((value) => JSON.stringify(value))];
	return JSON.parse((await run(process.execPath, args, { cwd: copy })).stdout);
}

describe('The chat service that src/lead/README.md adds', () => {
	test('delivers a lead, found by its name and by its host', async () => {
		await using receiver = await startWebhookReceiver({ status: 204, body: '' });
		const script = `
			import { formatFor } from './src/lead/channels/formats.ts';
			import { webhook } from './src/lead/channels/webhook.ts';
			import { readSettings } from './src/server/settings/settings.ts';

			const [hook, message] = process.argv.slice(1).map((value) => JSON.parse(value));
			const { webhooks } = readSettings({ LEAD_WEBHOOK_URL: hook, LEAD_WEBHOOK_FORMAT: 'webex' });
			const [{ url, format: name }] = webhooks.targets;
			const channel = webhook('webex', formatFor(url, name), { url, ...webhooks, fullText: 'mail' });
			const delivery = await channel.send(message, new AbortController().signal);
			const byHost = formatFor(new URL('https://webexapis.com/v1/webhooks/incoming/secret'), 'auto').name;
			console.log(JSON.stringify({ delivery, byHost }));
		`;
		const message = messageWith({ message: '界'.repeat(5000) });
		expect(await result(script, receiver.url, message)).toEqual({ delivery: { ok: true }, byHost: 'webex' });
		const { text } = JSON.parse(receiver.requests[0]!.body) as { text: string };
		expect(text).toMatch(
			/^Anteroom lead: Ana Ruiz.*\n\nName: Ana Ruiz\n.*界… \(shortened; see the mail of this lead\)\nLanguage: es/s,
		);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(7439);
	});

	test('has the types that it says', async () => {
		const options = { extends: '../../tsconfig.json', include: ['src/lead/channels/formats.ts', 'src/env.d.ts'], exclude: [] };
		await writeFile(path.join(copy, 'tsconfig.json'), JSON.stringify(options));
		const { stdout } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', copy]).catch(
			(error: { stdout: string }) => error,
		);
		expect(stdout).toBe('');
	});
});
