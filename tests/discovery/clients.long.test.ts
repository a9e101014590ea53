import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { generate } from 'orval';
import { expect, test, vi } from 'vitest';
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

interface Client {
	/** Makes the client from a description, for a server at this URL, in this folder. */
	make: (description: object, url: string, home: string) => Promise<unknown>;
	/** Returns the source of a {@link Program} that uses the client. */
	program: (url: string) => string;
}

interface Program {
	/** @returns true if the server took the lead, or else its errors */
	send: (email: string) => Promise<boolean | string[]>;
	version: () => Promise<string | undefined>;
}

/** In TypeScript, with `email` as a variable. */
const lead = `{ ${Object.entries(required)
	.map(([name, value]) => (name === 'email' ? name : `${name}: ${JSON.stringify(value)}`))
	.join(', ')} }`;

const clients: Record<string, Client> = {
	'openapi-typescript': {
		make: async (description, _url, home) =>
			writeFile(`${home}/paths.ts`, astToString(await openapiTS(description as OpenAPI3, { silent: true }))),
		program: (url) => `
			import createClient from 'openapi-fetch';
			import type { paths } from './paths.ts';
			const client = createClient<paths>({ baseUrl: '${url}' });
			export async function send(email: string): Promise<boolean | string[]> {
				const { data, error } = await client.POST('/api/contact', { body: ${lead} });
				if (data) return data.ok;
				return 'errors' in error ? error.errors.map(({ code }) => code) : [error.type, error.title];
			}
			export const version = async (): Promise<string | undefined> => (await client.GET('/api/status')).data?.version;`,
	},
	'@hey-api/openapi-ts': {
		make: (description, baseUrl, home) =>
			createClient({
				input: { ...description },
				output: `${home}/client`,
				plugins: [{ name: '@hey-api/client-fetch', baseUrl }, '@hey-api/typescript', '@hey-api/sdk'],
				logs: { level: 'silent' },
			}),
		program: () => `
			import { getStatus, submitLead } from './client';
			export async function send(email: string): Promise<boolean | string[]> {
				const { data, error } = await submitLead({ body: ${lead} });
				if (data) return data.ok;
				return 'errors' in error ? error.errors.map(({ code }) => code) : [error.type, error.title];
			}
			export const version = async (): Promise<string | undefined> => (await getStatus()).data?.version;`,
	},
	orval: {
		make: async (description, baseUrl, home) => {
			using _ = vi.spyOn(console, 'log').mockReturnValue();
			await generate({
				input: { target: { ...description } },
				output: { target: `${home}/client.ts`, client: 'fetch', baseUrl },
			});
		},
		program: () => `
			import { getStatus, submitLead } from './client';
			export async function send(email: string): Promise<boolean | string[]> {
				const { status, data } = await submitLead(${lead});
				if (status === 200) return data.ok;
				return 'errors' in data ? data.errors.map(({ code }) => code) : [data.type, data.title];
			}
			export async function version(): Promise<string | undefined> {
				const { status, data } = await getStatus();
				return status === 200 ? data.version : undefined;
			}`,
	},
};

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

test.each(Object.entries(clients))(
	'a client that %s makes compiles, sends a lead, and reads what is wrong with one',
	async (name, { make, program }) => {
		const home = path.resolve(folder().path, name);
		await mkdir(home, { recursive: true });
		const description = (await (await fetch(server().url + paths.openapi)).json()) as object;
		await make(description, server().url, home);
		await writeFile(`${home}/program.ts`, program(server().url));
		await writeFile(`${home}/tsconfig.json`, JSON.stringify({ compilerOptions: strict }));
		await using tsc = new TestProcess([createRequire(import.meta.url).resolve('typescript/bin/tsc'), '--project', home]);
		expect([await tsc.exit(), tsc.output]).toEqual([0, '']);

		const { send, version } = (await import(/* @vite-ignore */ `${home}/program.ts`)) as Program;
		expect(await send('ana@clinicasol.example')).toBe(true);
		expect(await send('ana@clinicasol')).toEqual(['email_invalid']);
		expect(await version()).toMatch(/^\d+\.\d+\.\d+/);
	},
);
