import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { lookup } from 'mrmime';
import { markdownPath } from '../service/links.ts';
import { securityHeaders } from './security-headers.ts';

/** How one prebuilt file goes out. */
export interface ManifestEntry {
	/** Its path below `dist/client`. */
	file: string;
	/** The headers of a 200, by lower-case name, but for those that depend on the encoding. */
	headers: Record<string, string>;
	/** Strong, for the file as it is (RFC 9110 section 8.8.3). */
	etag: string;
	/** The content codings that it lies beside itself in, best first. */
	encodings: Encoding[];
	/** The path of the same page in Markdown. */
	markdown?: string;
}

/** By the path of the URL. */
export type Manifest = Record<string, ManifestEntry>;

/** Content codings (RFC 9110 section 8.4.1) that files are prepared in, best first. */
export const encodings = {
	br: { ending: '.br', compress: promisify(brotliCompress) },
	gzip: { ending: '.gz', compress: promisify(gzip) },
};
export type Encoding = keyof typeof encodings;

interface ManifestOptions {
	client: URL;
	server: URL;
	origin: string;
	/** By path: what each prerendered route declared. */
	declared: Map<string, Headers>;
}

/** Compresses what is worth it, and writes down in `files.json`, and returns, at which path and with which headers each file goes out. */
export async function writeManifest({ client, server, origin, declared }: ManifestOptions): Promise<Manifest> {
	const manifest: Manifest = {};
	const folder = fileURLToPath(client);
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	await Promise.all(
		entries
			.filter((entry) => entry.isFile())
			.map(async (entry) => {
				const absolute = path.join(entry.parentPath, entry.name);
				const file = path.relative(folder, absolute).replaceAll(path.sep, '/');
				const url = urlPath(file);
				const bytes = await readFile(absolute);
				const prepared = await compress(absolute, bytes);
				manifest[url] = {
					file,
					headers: headersOf(file, origin, declared.get(url), prepared.length > 0),
					etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
					encodings: prepared,
				};
			}),
	);
	for (const [url, entry] of Object.entries(manifest))
		if (entry.file.endsWith('.html') && markdownPath(url) in manifest) entry.markdown = markdownPath(url);
	await writeFile(new URL('files.json', server), JSON.stringify(manifest));
	return manifest;
}

/** `index.html` is `/`, `docs/api.html` is `/docs/api`, `openapi.json` is `/openapi.json`. */
function urlPath(file: string): string {
	return `/${file}`.replace(/\.html$/, '').replace(/^\/index$/, '/');
}

function headersOf(file: string, origin: string, declared: Headers | undefined, compressed: boolean): Record<string, string> {
	const headers: Record<string, string> = {
		...securityHeaders(origin),
		'content-type': lookup(file) ?? 'application/octet-stream',
		'cache-control': file.startsWith('_astro/') ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
		...Object.fromEntries(declared ?? []),
	};
	if (/^text\/(html|css|javascript|plain|markdown)$/.test(headers['content-type']!)) headers['content-type'] += '; charset=utf-8';
	if (compressed) headers['vary'] = [headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
	return headers;
}

/** Writes each encoding that saves at least a tenth, and says which. */
async function compress(absolute: string, bytes: Buffer): Promise<Encoding[]> {
	const saved = await Promise.all(
		(Object.keys(encodings) as Encoding[]).map(async (encoding) => {
			const { ending, compress } = encodings[encoding];
			const smaller = await compress(bytes);
			if (smaller.length > bytes.length * 0.9) return [];
			await writeFile(absolute + ending, smaller);
			return [encoding];
		}),
	);
	return saved.flat();
}
