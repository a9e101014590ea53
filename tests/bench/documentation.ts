import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { onAllCores } from './load.ts';
import { markdownTable } from './table.ts';
import { type MadePage, thousandPages } from './thousand-pages.ts';

const FOLDER = path.resolve('var/bench/documentation');
const TARGET = { seconds: 45, kilobytes: 15 };
/** The usual framework for documentation, with its default settings. */
const STARLIGHT = { astro: '7.3.4', '@astrojs/starlight': '0.42.4' };

/** Compares a thousand pages of documentation in our site and in Starlight: the time of a build, and the bytes that a reader loads. */
export async function documentation(): Promise<string> {
	const pages = thousandPages();
	rmSync(path.join(FOLDER, 'ours'), { recursive: true, force: true });
	const ours = measured(writeOurs(pages), 'dist/client/docs', ['search.json', '../_astro/search.*.js']);
	const starlight = measured(writeStarlight(pages), 'dist', [
		'pagefind/pagefind*.js',
		'pagefind/wasm.en.pagefind',
		'pagefind/*.pf_meta',
	]);
	const met = ours.seconds <= TARGET.seconds && ours.kilobytes <= TARGET.kilobytes ? 'met' : 'missed';
	return [
		markdownTable([
			[`${pages.length} pages`, 'build', 'of processor time', 'HTML of a page', 'first search, br'],
			['**ours**, with the whole site', ...figures(ours)],
			['Starlight', ...figures(starlight)],
		]),
		`Target: at most ${TARGET.seconds} s and ${TARGET.kilobytes} kB a page: ${met}. One build each.`,
	].join('\n');
}

interface Measures {
	seconds: number;
	/** In seconds, on all processors: other programs on the machine change it less than they change elapsed time. */
	processor: number;
	kilobytes: number;
	search: number;
}

const figures = ({ seconds, processor, kilobytes, search }: Measures) => [
	`${seconds.toFixed(0)} s`,
	`${processor.toFixed(0)} s`,
	`${kilobytes.toFixed(1)} kB`,
	`${search.toFixed(0)} kB`,
];

/** Builds a project and measures it. `search` lists the files that a browser loads for any first search. */
function measured(root: string, pages: string, search: string[]): Measures {
	const start = performance.now();
	const [command, args] = onAllCores(process.execPath, [path.join(root, 'node_modules/astro/bin/astro.mjs'), 'build']);
	// Drops the output of the build; `times` prints its processor time.
	const times = execFileSync('sh', ['-c', '"$@" >/dev/null && times', 'sh', command, ...args], {
		cwd: root,
		encoding: 'utf8',
		env: { PATH: process.env['PATH'], SITE_URL: 'https://www.website.test', ASTRO_TELEMETRY_DISABLED: '1' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const seconds = (performance.now() - start) / 1000;
	const built = path.join(root, pages);
	const sizes = globSync('group-*/**/*.html', { cwd: built }).map((file) => readFileSync(path.join(built, file)).length);
	if (sizes.length < 900) throw new Error(`${built} has ${sizes.length} pages.`);
	const loaded = globSync(search, { cwd: built }).map((file) => brotliCompressSync(readFileSync(path.join(built, file))).length);
	return { seconds, processor: ofChildren(times), kilobytes: mean(sizes) / 1000, search: sum(loaded) / 1000 };
}

/** Reads the second line of `times`: `1m2.3s 0m4.5s`, in the programs and in the system. */
const ofChildren = (times: string) =>
	sum(
		[...times.split('\n')[1]!.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds)),
	);

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]) => sum(values) / values.length;

/** Writes our site with these pages beside its own. */
function writeOurs(pages: MadePage[]): string {
	const root = path.join(FOLDER, 'ours');
	for (const part of ['content', 'src', 'astro.config.mjs', 'package.json', 'tsconfig.json'])
		cpSync(part, path.join(root, part), { recursive: true });
	symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
	for (const page of pages) write(path.join(root, 'content/docs', page.file), page, [`order: ${page.order}`]);
	return root;
}

function writeStarlight(pages: MadePage[]): string {
	const root = path.join(FOLDER, 'starlight');
	mkdirSync(root, { recursive: true });
	writeFileSync(path.join(root, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: STARLIGHT }));
	writeFileSync(
		path.join(root, 'astro.config.mjs'),
		`import starlight from '@astrojs/starlight';
export default { site: 'https://www.website.test', integrations: [starlight({ title: 'Documentation' })] };`,
	);
	mkdirSync(path.join(root, 'src/content/docs'), { recursive: true });
	writeFileSync(
		path.join(root, 'src/content.config.ts'),
		`import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`,
	);
	for (const page of pages) write(path.join(root, 'src/content/docs', page.file), page, [`sidebar: { order: ${page.order} }`]);
	execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
		cwd: root,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return root;
}

function write(file: string, { title, prose }: MadePage, top: string[]): void {
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, ['---', `title: ${title}`, 'description: A page.', ...top, '---', '', prose, ''].join('\n'));
}
