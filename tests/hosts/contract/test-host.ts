import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { paths } from '../../../src/facts/links.ts';
import { answersAnywhere, testAnswers } from '../../support/answers.ts';
import { fetchRaw } from '../../support/fetch-raw.ts';
import { runDoctor } from '../../support/operator-command.ts';
import { listening } from '../../support/listening.ts';
import { leadOf, newLead, postBody, postForm } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { startSalesTeam } from '../../support/sales-team.ts';
import { shared } from '../../support/shared.ts';
import { testDocuments } from './documents.ts';
import type { Host } from './host.ts';

const newMessages = (length: number) => Array.from({ length }, () => randomUUID());

/** Tests everything that the build does on every host, on one of them. */
export const testHost = (host: Host) =>
	describe(host.name, () => {
		const team = shared(() => startSalesTeam());
		const running = shared(() => host.start({ ...team().settings, LEAD_RATE_LIMIT: 'off' }));
		if (host.serves === 'everything') testDocuments(host, running);
		describe('to', () => testAnswers(running, answersAnywhere));

		test.each([
			['leads', postBody, 200],
			['forms without JavaScript', postForm, 303],
		])('of six %s at once each is taken, and delivered once by webhook and by mail', async (_, post, status) => {
			const messages = newMessages(6);
			const answers = await Promise.all(messages.map((message) => post(running().url, leadOf({ message }))));
			for (const answer of answers) expect(answer.status).toBe(status);
			await expect.poll(() => team().missing(messages)).toEqual([]);
			const { mails, webhooks } = team();
			const copies = messages.map((message) => [mails.get(message)?.length, webhooks.get(message)?.length]);
			expect(copies).toEqual(messages.map(() => [1, 1]));
		});

		test('the doctor finds nothing to complain of', async () => {
			const { complaints } = await runDoctor([running().url]);
			// A host for the API only does not serve the rest.
			const concerns = host.serves === 'everything' ? complaints : complaints.filter(({ check }) => check.startsWith('API'));
			expect(concerns).toEqual([]);
		});

		test('a client is counted by its address, whatever it says of itself', async () => {
			await using limited = await host.start({ ...team().settings, LEAD_RATE_LIMIT: '2/10m' });
			const post = async (localAddress: string, forged: Record<string, string> = {}) => {
				const headers = { 'content-type': 'application/json', ...forged };
				const request = { method: 'POST', headers, body: JSON.stringify(newLead()), localAddress };
				return (await fetchRaw(limited.url + paths.submitLead, request)).status;
			};
			const same = [];
			for (const number of [1, 2, 3]) same.push(await post('127.0.0.1', forgedBy(host, `192.0.2.${number}`)));
			expect(same).toEqual([200, 200, 429]);
			expect(await post('127.0.0.2')).toBe(200);
		});

		test.skipIf(postgresMissing)('with PostgreSQL each lead is kept and delivered, and a key is for one lead', async () => {
			await using postgres = await startPostgres();
			await using database = await overTcp(await postgres.createDatabase());
			await using storing = await host.start({ ...team().settings, LEAD_STORE: database.url, LEAD_RATE_LIMIT: 'off' });
			const messages = newMessages(4);
			const post = (message: string, key: string) => postBody(storing.url, leadOf({ message }), { 'idempotency-key': key });
			for (const { status } of await Promise.all(messages.map((message) => post(message, message)))) expect(status).toBe(200);
			await expect.poll(() => team().missing(messages)).toEqual([]);
			expect((await post('Another lead', messages[0]!)).status).toBe(422);
		});
	});

/** Headers in which hosts and proxies name their client, and which any client may forge. */
const headers = 'cf-connecting-ip true-client-ip x-client-ip x-forwarded-for x-nf-client-connection-ip x-real-ip'.split(' ');

const forgedBy = ({ trusted }: Host, address: string) => ({
	...Object.fromEntries(headers.filter((name) => name !== trusted).map((name) => [name, address])),
	forwarded: `for=${address}`,
});

/** Makes a database on a socket reachable on a port of this machine, because not every host can use sockets. */
export async function overTcp(database: string) {
	const url = new URL(database);
	const folder = url.searchParams.get('host');
	if (!folder?.startsWith('/')) return { url: database, [Symbol.asyncDispose]: async () => {} };
	const { address, ...server } = await listening(
		createServer((client) => {
			// Either side may hang up.
			pipeline(client, connect(`${folder}/.s.PGSQL.5432`), client).catch(() => {});
		}),
	);
	url.search = '';
	url.host = address;
	// Some hosts require a password, and the throw-away server takes any.
	url.password = 'any';
	return { url: url.href, ...server };
}
