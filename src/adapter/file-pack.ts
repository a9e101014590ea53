import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lookup } from 'mrmime';
import { markdownPath, urlPath } from '../facts/links.ts';
import { ContentError, mistakeText } from '../facts/mistake.ts';
import type { Encoding, Manifest } from '../server/manifest.ts';
import { securityHeaders } from '../server/security-headers.ts';

interface PackOptions {
	/** The project's `public/`: its files keep their own names, `google123.html` at `/google123.html`. */
	publicDir: URL;
	client: URL;
	server: URL;
	origin: string;
	/** The headers that each prerendered route declared, by path. */
	declared: Map<string, Headers>;
	logger: { warn(text: string): void };
}

/**
 * Compresses files where that pays, and packs all prebuilt files for the server, which loads them with one read: their bytes in
 * `files.bin`, their paths and headers in `files.json`. Removes {@link hidden} files, and warns of each.
 * @throws {ContentError} a file of `public/` has the address of a document, of the API, or of a host's settings: one would be lost
 */
export async function packFiles({ publicDir, client, server, origin, declared, logger }: PackOptions): Promise<Manifest> {
	const folder = fileURLToPath(client);
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const all = entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
		.toSorted();
	const files = all.filter((file) => !hidden.test(file));
	for (const file of all.filter((file) => hidden.test(file))) {
		await rm(path.join(folder, file));
		logger.warn(`public/${file} is not published: only .well-known may begin with a dot. Remove it, or rename it.`);
	}
	const compressing = files.map(async (file) => ({ file, bodies: await compressed(path.join(folder, file)) }));

	const manifest: Manifest = {};
	const packed: Buffer[] = [];
	const misplaced: string[] = [];
	let length = 0;
	const pack = (body: Buffer): [from: number, to: number] => {
		packed.push(body);
		return [length, (length += body.length)];
	};
	for (const { file, bodies } of await Promise.all(compressing)) {
		const isPublic = existsSync(new URL(file, publicDir));
		const url = isPublic ? `/${file}` : urlPath(file);
		if (isPublic && (declared.has(url) || file.startsWith('api/') || settingsOfHosts.has(file)))
			misplaced.push(mistakeText(`public${url}`, { found: 'an address of our own or of a host', wanted: 'another name' }));
		const { identity, ...encoded } = bodies;
		manifest[url] = {
			file,
			headers: headersOf(file, origin, declared.get(url), Object.keys(encoded).length > 0),
			etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
			bodies: Object.fromEntries(Object.entries({ ...encoded, identity }).map(([encoding, body]) => [encoding, pack(body)])),
			...(file.endsWith('.html') && files.includes(markdownPath(url).slice(1)) && { markdown: markdownPath(url) }),
		};
	}
	if (misplaced.length > 0) throw new ContentError(misplaced);
	await writeFile(new URL('files.bin', server), Buffer.concat(packed));
	await writeFile(new URL('files.json', server), JSON.stringify(manifest));
	return manifest;
}

/** Matches the files that programs leave in a folder, such as `.DS_Store` or `.env`: a name in the path begins with a dot. RFC 8615 allows one folder. */
const hidden = /(^(?!\.well-known\/)|\/)\./;

/** Cloudflare and Netlify read these as their settings, which the build writes. */
const settingsOfHosts = new Set(['_headers', '_redirects', '_routes.json', '_worker.js']);

function headersOf(file: string, origin: string, declared: Headers | undefined, compressed: boolean): Record<string, string> {
	const type = lookup(file) ?? 'application/octet-stream';
	const headers: Record<string, string> = {
		...securityHeaders(origin, type),
		'content-type': type,
		'cache-control': file.startsWith('_astro/') ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
		...Object.fromEntries(declared ?? []),
	};
	if (/^text\/(html|css|javascript|plain|markdown)$/.test(headers['content-type']!)) headers['content-type'] += '; charset=utf-8';
	if (compressed) headers['vary'] = [headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
	return headers;
}

/** Media with a compression of their own: another saves little, and keeps three copies of each in memory. */
const dense = /^(audio|video|font|image)\/(?!svg)/;

/** Returns the file and each encoding that saves at least a tenth, and writes those beside it, where other servers look for them. */
async function compressed(file: string): Promise<Partial<Record<Encoding, Buffer>> & { identity: Buffer }> {
	const identity = await readFile(file);
	if (dense.test(lookup(file) ?? '')) return { identity };
	// The best level for files that a first visit loads. One level lower, large files are hardly larger, in half the time.
	const quality = identity.length < 65_536 ? 11 : 10;
	const br = await promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
	const gz = await promisify(gzip)(identity);
	const saves = ({ length }: Buffer) => length <= identity.length * 0.9;
	if (saves(br)) await writeFile(`${file}.br`, br);
	if (saves(gz)) await writeFile(`${file}.gz`, gz);
	return { identity, ...(saves(br) && { br }), ...(saves(gz) && { gzip: gz }) };
}
