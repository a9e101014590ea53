import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n');
const readmes = files.filter((file) => basename(file) === 'README.md' || file.startsWith('handbook/'));
const read = (file: string) => readFileSync(file, 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const readers = files.filter((file) => /^(\.env\.example|package\.json|tests\/.*\.ts)$/.test(file) && existsSync(file));
const known = readers.map(read).join('\n');

test.each(readmes)('%s leads to and names only files, commands and settings that there are', (readme) => {
	const tokens = tokensOf(readme);
	const links = tokens.flatMap((token) => (token.type === 'link' ? [String(token['href'])] : []));
	const code = tokens.flatMap((token) => (token.type === 'codespan' || token.type === 'code' ? [String(token['text'])] : []));
	const commands = code.flatMap((text) => [...text.matchAll(/\bnpm run (?:--?\w+ )*([\w:]+)/g)].map(([, name]) => name!));
	const settings = code.flatMap((text) => text.match(/\b(?!EAI_)[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);
	const named = code.filter((text) => /^((src|tests|content)\/[^\s*]*|[^\s*]+\.test\.ts)$/.test(text));
	expect([
		...links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(readme, link)),
		...commands.filter((name) => !(name in scripts)),
		...settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(known)),
		...named.filter((name) => !existsSync(name) && !files.some((file) => file.endsWith(`/${name}`))),
	]).toEqual([]);
});

test('the README leads to each page of the handbook', () => {
	const places = tokensOf('README.md').flatMap((token) => (token.type === 'link' ? String(token['href']).split('#', 1) : []));
	expect(places).toEqual(expect.arrayContaining(readmes.filter((file) => file.startsWith('handbook/'))));
});

test('each line that the handbook explains is one that a program prints', () => {
	const tables = tokensOf('handbook/troubleshooting.md').filter((token) => token.type === 'table') as Tokens.Table[];
	const explained = tables.filter(({ header }) => header[0]!.text.startsWith('Line')).flatMap(({ rows }) => rows);
	const lines = explained.map(([line]) => line!.text.replaceAll('`', ''));
	const sources = files.filter((file) => /^src\/.*\.ts$/.test(file)).map(read);
	expect(lines.length).toBeGreaterThan(9);
	expect(lines.filter((line) => !sources.some((source) => source.includes(line)))).toEqual([]);
});

function tokensOf(readme: string): Token[] {
	const tokens: Token[] = [];
	marked.walkTokens(marked.lexer(read(readme)), (token) => void tokens.push(token));
	return tokens;
}

function leadsSomewhere(readme: string, link: string): boolean {
	const [path, anchor] = link.split('#') as [string, string?];
	const target = path === '' ? readme : join(dirname(readme), path);
	if (!existsSync(target) || anchor === undefined) return existsSync(target);
	const slugger = new GithubSlugger();
	return tokensOf(target).some((token) => token.type === 'heading' && slugger.slug(String(token['text'])) === anchor);
}
