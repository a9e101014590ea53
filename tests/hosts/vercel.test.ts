import { cpSync } from 'node:fs';
import { fetchRaw } from '../support/fetch-raw.ts';
import { startFront } from '../support/front.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { assembled } from './support/assembled.ts';
import { startVercelFunction, vercelNetwork } from './support/vercel.ts';

testHost({
	name: 'Vercel',
	serves: 'everything',
	start: (settings) =>
		assembled(async (parts) => {
			const output = `${parts.use(await temporaryFolder()).path}/output`;
			cpSync('var/test/dist/hosts/vercel/.vercel/output', output, { recursive: true });
			const api = parts.use(await startVercelFunction(output, settings));
			const answer = vercelNetwork(output, ({ address, ...request }) => {
				// Vercel overwrites these.
				const client = { 'x-real-ip': address, 'x-forwarded-for': address };
				const host = { 'x-forwarded-host': request.headers['host']!, 'x-forwarded-proto': 'https' };
				return fetchRaw(api.url + request.path, { ...request, headers: { ...request.headers, ...client, ...host } });
			});
			return { url: parts.use(await startFront(answer)).url };
		}),
});
