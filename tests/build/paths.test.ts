import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPaths } from '../../src/build/paths.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { paths } from '../../src/service/links.ts';

const manifest = JSON.parse(readFileSync('var/test/dist/server/files.json', 'utf8')) as Manifest;

test('a path that code or prose names, and at which nothing is published, stops the build', () => {
	expect(() => checkPaths(manifest)).not.toThrow();
	const { [paths.llmsTxt]: _document, [paths.thanks]: _page, ...others } = manifest;
	expect(() => checkPaths(others)).toThrow(
		/^src\/service\/links\.ts: found thanks: '\/contact\/thanks', wanted .*\n.*links\.ts: found llmsTxt: '\/llms\.txt', wanted /,
	);
});
