import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import { chromiumPath } from '../support/chromium.ts';
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { onCore } from './load.ts';

interface Site {
	/** The files and folders of this project in it. */
	parts: string[];
	/** Its own files. */
	files: Record<string, string>;
	/** The file that an editor changes: the first page, which may end with another line of prose. */
	edited: string;
}

const STARTER = 'an empty Astro';
const sites: Record<string, Site> = {
	[STARTER]: {
		parts: [],
		files: {
			'package.json': '{ "type": "module" }',
			'astro.config.mjs': "import { defineConfig } from 'astro/config';\nexport default defineConfig({});\n",
			'src/pages/index.astro': '<html lang="en"><head><title>Astro</title></head><body><h1>Astro</h1></body></html>\n',
		},
		edited: 'src/pages/index.astro',
	},
	[OURS]: {
		parts: ['content', 'src', 'astro.config.mjs', 'package.json', 'tsconfig.json'],
		files: {},
		edited: 'content/en/home.mdx',
	},
};

/** Measures in a browser how long an editor waits in `npm run dev`: for the first page without caches, and for a change. */
export async function preview(): Promise<Comparison[]> {
	await using browser = await chromium.launch({ executablePath: await chromiumPath(), chromiumSandbox: false });
	const edits: Record<string, number[]> = {};
	const starts = await inTurns(
		Object.fromEntries(
			Object.entries(sites).map(([name, site]) => [
				name,
				async () => {
					const { start, edit } = await times(site, browser);
					(edits[name] ??= []).push(edit);
					return start;
				},
			]),
		),
		3,
	);
	const comparison = { unit: 'ms', yardstick: STARTER } as const;
	return [
		{ ...comparison, what: 'preview, start to first page', target: { most: 2 }, values: starts },
		// The first round warms up.
		{
			...comparison,
			what: 'preview, edit to page',
			target: { most: 1.5 },
			values: Object.fromEntries(Object.keys(edits).map((name) => [name, edits[name]!.slice(1)])),
		},
	];
}

/** Returns milliseconds. */
async function times(site: Site, browser: Browser): Promise<{ start: number; edit: number }> {
	await using folder = await laidOut(site);
	const begun = performance.now();
	await using server = startPreview(folder.path);
	const [, url] = await server.printed(/(http:\/\/localhost:\d+)/);
	await using page = await browser.newPage();
	await page.goto(url!, { timeout: 120_000 });
	const start = performance.now() - begun;
	// The first change prepares what later ones use.
	let edit = 0;
	for (const word of ['Once', 'Twice']) {
		const saved = performance.now();
		await appendFile(path.join(folder.path, site.edited), `\n<p>${word} changed</p>\n`);
		await page.getByText(`${word} changed`).waitFor();
		edit = performance.now() - saved;
	}
	return { start, edit };
}

/** Writes a site inside the project, so that it finds the project's packages. */
async function laidOut({ parts, files }: Site) {
	const folder = await temporaryFolder(path.resolve('var/bench'));
	for (const part of parts) await cp(part, path.join(folder.path, part), { recursive: true });
	for (const [file, text] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(folder.path, file)), { recursive: true });
		await writeFile(path.join(folder.path, file), text);
	}
	return folder;
}

function startPreview(cwd: string): TestProcess {
	const [program, args] = onCore(0, process.execPath, [path.resolve('node_modules/astro/bin/astro.mjs'), 'dev', '--port', '0']);
	return new TestProcess(args, { program, cwd, env: { ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '0' } });
}
