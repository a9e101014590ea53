import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startLanguageServer } from '../support/language-server.ts';

const servers = {
	yaml: () => {
		const yaml = { validate: true, schemaStore: { enable: false } };
		return startLanguageServer(import.meta.resolve('yaml-language-server/bin/yaml-language-server'), { yaml });
	},
	mdx: () => {
		const typescript = { enabled: true, tsdk: path.resolve('node_modules/typescript/lib') };
		return startLanguageServer(import.meta.resolve('@mdx-js/language-server'), {}, { typescript });
	},
};

/** What each server finds in files with a mistake. The message is at the first line that was changed, or at another one. */
const mistakes: Record<
	keyof typeof servers,
	[file: string, search: string | RegExp, instead: string, found: RegExp, at?: RegExp][]
> = {
	yaml: [
		['content/service.yaml', 'identifier: ', 'identifier: The ', /Wanted: lower case letters, digits and hyphens/],
		['content/docs.yaml', 'copied:', 'copyed:', /Property copyed is not allowed/],
		['content/de/contact.yaml', '  clinic:', '  clinik:', /Property clinik is not allowed/],
		['content/de/site.yaml', /^privacy: .*/m, '', /Missing property "privacy"/, /^language:/],
	],
	mdx: [
		['content/docs/api.mdx', /$/, '\n<Asid kind="note">x</Asid>', /'Asid' does not exist/],
		['content/docs/index.mdx', /$/, '\n<Aside kind="warn">x</Aside>', /'"warn"' is not assignable to type .*"warning"/],
		['content/docs/agents.mdx', /$/, '\n<Link too="path.docs" />', /'{ too: string; }' is not assignable/],
		['content/en/home.mdx', /$/, '\n<Fact name="price.plan" />', /Did you mean '"price.plans"'/],
	],
};

describe.each(['yaml', 'mdx'] as const)('the language server for %s', (kind) => {
	test('finds nothing in our content', async () => {
		await using server = await servers[kind]();
		const files = globSync(`content/**/*.${kind}`);
		expect(files.length).toBeGreaterThan(0);
		for (const file of files) expect(await server.open(file, readFileSync(file, 'utf8')), file).toEqual([]);
	});

	test('shows mistakes at their lines while an editor types', async () => {
		await using server = await servers[kind]();
		for (const [file, search, instead, found, at] of mistakes[kind]) {
			const before = readFileSync(file, 'utf8');
			const after = before.replace(search, instead);
			const lines = before.split('\n');
			const line = after.split('\n').findIndex((text, index) => (at ? at.test(text) : text !== lines[index])) + 1;
			const messages = (await server.open(file, after)).filter((message) => message.startsWith(`${line}: `));
			expect(messages, file).toContainEqual(expect.stringMatching(found));
		}
	});
});
