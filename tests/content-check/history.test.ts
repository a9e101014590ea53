import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changesIn } from '../../src/facts/history.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Makes a project in a folder of a git repository. */
async function project() {
	const folder = await temporaryFolder();
	const root = path.join(folder.path, 'site');
	await mkdir(path.join(root, 'content'), { recursive: true });
	const git = (at: string, ...args: string[]) => {
		const env = { ...process.env, GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z', GIT_COMMITTER_DATE: at };
		const identity = ['-c', 'user.name=x', '-c', 'user.email=x@clinic.test'];
		execFileSync('git', [...identity, ...args], { cwd: folder.path, env, stdio: 'ignore' });
	};
	git('', 'init');
	return {
		root,
		path: folder.path,
		git,
		write: (file: string, text: string) => writeFile(path.join(root, file), text),
		commit(at: string) {
			git(at, 'add', '.');
			git(at, 'commit', '--message', 'x');
		},
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}

const first = '2026-01-02T03:04:05+02:00';
const second = '2026-02-03T04:05:06-05:00';

test('a file was last changed when the last commit with a change of it was made', async () => {
	await using site = await project();
	await site.write('content/one.mdx', '1');
	await site.write('content/größe "x".mdx', '1');
	await site.write('other.md', '1');
	site.commit(first);
	await site.write('content/one.mdx', '2');
	site.commit(second);
	expect(changesIn(site.root)).toEqual(
		new Map([
			['content/one.mdx', new Date(second)],
			['content/größe "x".mdx', new Date(first)],
		]),
	);
});

test('of what differs from what is committed nothing is said', async () => {
	await using site = await project();
	for (const name of ['edited', 'staged', 'new-again', 'same']) await site.write(`content/${name}.mdx`, '1');
	site.commit(first);
	site.git(second, 'rm', 'site/content/new-again.mdx');
	site.commit(second);
	for (const name of ['staged', 'edited', 'new-again', 'new']) {
		await site.write(`content/${name}.mdx`, '2');
		if (name === 'staged') site.git(second, 'add', '.');
	}
	expect(changesIn(site.root)).toEqual(new Map([['content/same.mdx', new Date(first)]]));
});

test('nothing is said without a history, or with a part of it only', async () => {
	await using none = await temporaryFolder();
	expect(changesIn(none.path)).toEqual(new Map());
	await using site = await project();
	for (const at of [first, second]) {
		await site.write('content/one.mdx', at);
		site.commit(at);
	}
	await using clone = await temporaryFolder();
	site.git(second, 'clone', '--depth', '1', `file://${site.path}`, clone.path);
	expect(changesIn(path.join(clone.path, 'site'))).toEqual(new Map());
});
