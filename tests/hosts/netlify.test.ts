import { cpSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { assembled } from './support/assembled.ts';
import { startFront } from '../support/front.ts';
import { startNetlifyFunction } from './support/netlify-function.ts';
import { netlifyNetwork } from './support/netlify-network.ts';

testHost({
	name: 'Netlify',
	serves: 'everything',
	start: (settings) =>
		assembled(async (parts) => {
			const folder = parts.use(await temporaryFolder()).path;
			cpSync('var/test/dist/hosts/netlify', folder, { recursive: true });
			const files = await netlifyNetwork(folder);
			const api = parts.use(await startNetlifyFunction(folder, settings));
			const front = await startFront(async (request) => (api.takes(request) ? api.answer(request) : files(request)));
			return { url: parts.use(front).url };
		}),
	otherwise: {
		slash: { instead: '200', because: 'Netlify shows the page, before any rule of ours' },
		html: { instead: '200', because: 'Netlify shows the page there too' },
		post: { instead: '405', because: 'Netlify refuses methods for files by itself, without Allow' },
		markdown: { instead: 'text/html', because: 'Netlify looks at no header before a file' },
	},
});
