import { cpSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { startFront } from './support/front.ts';
import { startNetlifyFunction } from './support/netlify-function.ts';
import { netlifyNetwork } from './support/netlify-network.ts';

testHost({
	name: 'Netlify',
	serves: 'everything',
	async start(settings) {
		const running = new AsyncDisposableStack();
		const folder = running.use(await temporaryFolder()).path;
		cpSync('var/test/dist/hosts/netlify', folder, { recursive: true });
		const files = await netlifyNetwork(folder);
		const api = running.use(await startNetlifyFunction(folder, settings));
		const answer = async (request: Parameters<typeof files>[0]) => (api.takes(request) ? api.answer(request) : files(request));
		const front = running.use(await startFront(answer));
		return { url: front.url, [Symbol.asyncDispose]: () => running.disposeAsync() };
	},
	otherwise: {
		slash: { instead: '200', because: 'Netlify shows the page, before any rule of ours' },
		html: { instead: '200', because: 'Netlify shows the page there too' },
		post: { instead: '405', because: 'Netlify refuses methods for files by itself, without Allow' },
		markdown: { instead: 'text/html', because: 'Netlify looks at no header before a file' },
		complaints: {
			instead: ['addresses: methods', 'addresses: slash', 'documents: compression', 'documents: ETag'],
			because: 'as above, and Netlify’s network, which compresses and revalidates, cannot be had here',
		},
	},
});
