import { cpSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { type FrontRequest, startFront } from './support/front.ts';
import { passOn } from './support/pass-on.ts';
import { startVercelFunction, vercelNetwork } from './support/vercel.ts';

testHost({
	name: 'Vercel',
	serves: 'everything',
	async start(settings) {
		const running = new AsyncDisposableStack();
		const output = `${running.use(await temporaryFolder()).path}/output`;
		cpSync('var/test/dist/hosts/vercel/.vercel/output', output, { recursive: true });
		const { url } = running.use(await startVercelFunction(output, settings));
		const front = running.use(await startFront(vercelNetwork(output, (request) => passOn(url, request, headersFor(request)))));
		return { url: front.url, [Symbol.asyncDispose]: () => running.disposeAsync() };
	},
	otherwise: {
		complaints: {
			instead: ['documents: ETag', 'documents: compression'],
			because: 'Vercel’s network, which compresses and revalidates, cannot be had here',
		},
	},
});

/** What Vercel writes over whatever the client has sent. */
const headersFor = ({ headers, address }: FrontRequest) => ({
	...headers,
	'x-real-ip': address,
	'x-forwarded-for': address,
	'x-forwarded-host': headers['host']!,
	'x-forwarded-proto': 'https',
});
