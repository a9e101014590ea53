import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { lead as required } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Inside the project, whose packages the clients import. */
const folder = shared(() => temporaryFolder('var/test'));
const receiver = shared(() => startWebhookReceiver());
const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_STORE: 'none' }));

interface Program {
	/** @returns true if the server took the lead, or else its errors */
	send: (email: string) => Promise<boolean | string[]>;
	version: () => Promise<string | undefined>;
}

/** In TypeScript, with `email` as a variable. */
const lead = `{ ${Object.entries(required)
	.map(([name, value]) => (name === 'email' ? name : `${name}: ${JSON.stringify(value)}`))
	.join(', ')} }`;

/** Uses the client that the generator makes. */
const program = `
	import { getStatus, submitLead } from './client';
	export async function send(email: string): Promise<boolean | string[]> {
		const { data, error } = await submitLead({ body: ${lead} });
		if (data) return data.ok;
		return 'errors' in error ? error.errors.map(({ code }) => code) : [error.type, error.title];
	}
	export const version = async (): Promise<string | undefined> => (await getStatus()).data?.version;
`;

/** Not `exactOptionalPropertyTypes`: code that hey-api adds to every client does not hold it. */
const strict = {
	strict: true,
	noUncheckedIndexedAccess: true,
	verbatimModuleSyntax: true,
	module: 'preserve',
	target: 'es2022',
	lib: ['es2022', 'dom', 'dom.iterable'],
	types: [],
	allowImportingTsExtensions: true,
	noEmit: true,
};

test('a generated client compiles, sends a lead, and reads what is wrong with one', async () => {
	const home = path.resolve(folder().path);
	const description = (await (await fetch(server().url + paths.openapi)).json()) as object;
	await createClient({
		input: { ...description },
		output: `${home}/client`,
		plugins: [{ name: '@hey-api/client-fetch', baseUrl: server().url }, '@hey-api/typescript', '@hey-api/sdk'],
		logs: { level: 'silent' },
	});
	await writeFile(`${home}/program.ts`, program);
	await writeFile(`${home}/tsconfig.json`, JSON.stringify({ compilerOptions: strict }));
	await using tsc = new TestProcess([createRequire(import.meta.url).resolve('typescript/bin/tsc'), '--project', home]);
	expect([await tsc.exit(), tsc.output]).toEqual([0, '']);

	const { send, version } = (await import(/* @vite-ignore */ `${home}/program.ts`)) as Program;
	expect(await send('ana@clinicasol.example')).toBe(true);
	expect(await send('ana@clinicasol')).toEqual(['email_invalid']);
	expect(await version()).toMatch(/^\d+\.\d+\.\d+/);
});
