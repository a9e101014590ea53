import { cpSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { assembled } from './support/assembled.ts';
import { type FrontRequest, startFront } from './support/front.ts';
import { passOn } from './support/pass-on.ts';
import { startVercelFunction, vercelNetwork } from './support/vercel.ts';

testHost({
	name: 'Vercel',
	serves: 'everything',
	start: (settings) =>
		assembled(async (parts) => {
			const output = `${parts.use(await temporaryFolder()).path}/output`;
			cpSync('var/test/dist/hosts/vercel/.vercel/output', output, { recursive: true });
			const api = parts.use(await startVercelFunction(output, settings));
			const answer = vercelNetwork(output, (request) => passOn(api.url, request, headersFor(request)));
			return { url: parts.use(await startFront(answer)).url };
		}),
});

/** Returns the headers with those that Vercel overwrites. */
const headersFor = ({ headers, address }: FrontRequest) => ({
	...headers,
	'x-real-ip': address,
	'x-forwarded-for': address,
	'x-forwarded-host': headers['host']!,
	'x-forwarded-proto': 'https',
});
