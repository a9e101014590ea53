import { cpSync } from 'node:fs';
import { fetchRaw } from '../support/fetch-raw.ts';
import { startFront } from '../support/front.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { startVercelFunction, vercelNetwork } from './support/vercel.ts';

testHost({
	name: 'Vercel',
	serves: 'everything',
	start: async (settings) => {
		const folder = await temporaryFolder();
		const output = `${folder.path}/output`;
		cpSync('var/test/dist/hosts/vercel/.vercel/output', output, { recursive: true });
		const api = await startVercelFunction(output, settings);
		const answer = vercelNetwork(output, ({ address, ...request }) => {
			// Vercel overwrites these.
			const client = { 'x-real-ip': address, 'x-forwarded-for': address };
			const host = { 'x-forwarded-host': request.headers['host']!, 'x-forwarded-proto': 'https' };
			return fetchRaw(api.url + request.path, { ...request, headers: { ...request.headers, ...client, ...host } });
		});
		const front = await startFront(answer);
		return { ...front, ...disposing(front, api, folder) };
	},
});
