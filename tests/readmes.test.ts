import GithubSlugger from 'github-slugger';
import { marked, type Token } from 'marked';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n');
const readmes = files.filter((file) => basename(file) === 'README.md');
const read = (file: string) => readFileSync(file, 'utf8');

describe.each(readmes)('%s', (readme) => {
	const tokens = tokensOf(readme);
	const code = tokens.flatMap((token) => (token.type === 'codespan' || token.type === 'code' ? [String(token['text'])] : []));

	test('leads only to what exists', () => {
		const links = tokens.flatMap((token) => (token.type === 'link' ? [String(token['href'])] : []));
		const broken = links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(readme, link));
		expect(broken).toEqual([]);
	});

	test('names only commands that package.json has', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = code.flatMap((text) => [...text.matchAll(/\bnpm run (?:--?\w+ )*([\w:]+)/g)].map(([, name]) => name!));
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	test('names only settings that something reads', () => {
		const readers = files.filter((file) => /^(\.env\.example|package\.json|tests\/.*\.ts)$/.test(file) && existsSync(file));
		const known = readers.map(read).join('\n');
		const named = code.flatMap((text) => [...text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name));
		expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(known))).toEqual([]);
	});

	test('names only files and folders that exist', () => {
		const named = code.filter((text) => /^((src|tests|content)\/[^\s*]*|[^\s*]+\.test\.ts)$/.test(text));
		expect(named.filter((name) => !existsSync(name) && !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
	});
});

function tokensOf(readme: string): Token[] {
	const tokens: Token[] = [];
	marked.walkTokens(marked.lexer(read(readme)), (token) => void tokens.push(token));
	return tokens;
}

function leadsSomewhere(readme: string, link: string): boolean {
	const [path, anchor] = link.split('#') as [string, string?];
	const target = path === '' ? readme : join(dirname(readme), path);
	return existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
}

function anchorsOf(readme: string): string[] {
	const slugger = new GithubSlugger();
	return tokensOf(readme).flatMap((token) => (token.type === 'heading' ? [slugger.slug(String(token['text']))] : []));
}
