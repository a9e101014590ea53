import { readdir } from 'node:fs/promises';
import { pageLinks } from '../discovery/link-header.ts';
import { urlPath } from './paths.ts';

interface PageLinksOptions {
	client: URL;
	/** By path: what each prerendered route declared. The links that every page has are added. */
	declared: Map<string, Headers>;
}

/** Lets every page lead programs to the index and to the description of the API. */
export async function declarePageLinks({ client, declared }: PageLinksOptions): Promise<void> {
	const files = await readdir(client, { recursive: true });
	for (const path of files.filter((file) => file.endsWith('.html')).map(urlPath)) {
		const headers = new Headers(declared.get(path));
		headers.append('link', pageLinks);
		declared.set(path, headers);
	}
}
