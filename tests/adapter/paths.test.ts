import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPaths } from '../../src/adapter/paths.ts';
import type { Manifest } from '../../src/server/files/manifest.ts';
import { paths } from '../../src/facts/links.ts';
import { service } from '../../src/facts/load.ts';

const manifest = JSON.parse(readFileSync('var/test/dist/server/files.json', 'utf8')) as Manifest;

test('a path that code or prose names, and at which nothing is published, stops the build', () => {
	expect(() => checkPaths(manifest, service.keys)).not.toThrow();
	const { [paths.llmsTxt]: _document, [paths.thanks]: _page, ...others } = manifest;
	const { [paths.accessRequest]: _request, ...withoutRequest } = manifest;
	expect(() => checkPaths(withoutRequest, 'issued')).toThrow(`found accessRequest: '${paths.accessRequest}'`);
	expect(() => checkPaths(withoutRequest, 'none')).not.toThrow();
	expect(() => checkPaths(others, service.keys)).toThrow(
		/^src\/facts\/links\.ts: found thanks: '\/contact\/thanks', wanted .*\n.*links\.ts: found llmsTxt: '\/llms\.txt', wanted /,
	);
});
