import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A copy of the project that an editor changes. It lies inside the project, whose packages it finds from there. */
export async function copyOfProject() {
	const folder = await temporaryFolder(path.resolve('var/test'));
	const at = (file: string) => path.join(folder.path, file);
	for (const part of ['content', 'public', 'src', 'astro.config.mjs', 'package.json', 'tsconfig.json'])
		await cp(part, at(part), { recursive: true });
	const astro = (...args: string[]) => {
		const env = { SITE_URL: 'https://www.anteroom.test', ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '0' };
		return new TestProcess([path.resolve('node_modules/astro/bin/astro.mjs'), ...args], { cwd: folder.path, env });
	};
	return {
		at,
		async edit(file: string, search: string | RegExp, replacement: string) {
			const before = await readFile(at(file), 'utf8');
			const after = before.replace(search, replacement);
			expect(after).not.toBe(before);
			await writeFile(at(file), after);
		},
		async write(file: string, text: string | Uint8Array) {
			await mkdir(path.dirname(at(file)), { recursive: true });
			await writeFile(at(file), text);
		},
		async build() {
			await using building = astro('build');
			return { code: await building.exit(), output: building.output };
		},
		/** `npm run dev`, on any port. */
		preview: () => astro('dev', '--port', '0'),
		built: (file: string) => readFile(at(`dist/client/${file}`), 'utf8'),
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}
