import { paths } from '../../src/service/links.ts';
import { testHost } from './contract/test-host.ts';
import { startWrangler } from './support/wrangler.ts';

testHost({
	name: 'Cloudflare Workers',
	serves: 'everything',
	start: (settings) => startWrangler(settings),
	trusted: 'cf-connecting-ip',
	otherwise: {
		slash: { instead: `307 ${paths.contact}`, because: 'Cloudflare redirects with 307' },
		html: { instead: `307 ${paths.contact}`, because: 'Cloudflare takes .html away by itself, and redirects' },
		post: { instead: '405', because: 'Cloudflare refuses methods for files by itself, without Allow' },
		markdown: { instead: 'text/html', because: 'Cloudflare looks at no header before a file' },
		accessRequest: { instead: 'another', because: 'Cloudflare looks at no query; the script of the page does' },
		complaints: {
			instead: ['addresses: methods', 'documents: compression', 'documents: headers', 'documents: Vary'],
			because:
				'Allow is missing, and so is what Cloudflare’s network adds: compression and Vary. And wrangler writes http in headers where our address stands',
		},
	},
});
