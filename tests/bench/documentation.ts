import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { onAllCores } from './load.ts';
import { markdownTable } from './table.ts';
import { type MadePage, thousandPages } from './thousand-pages.ts';

const ROOT = path.resolve('var/bench/documentation');
const TARGET = { seconds: 45, kilobytes: 15 };

/** Measures a thousand pages of documentation in our site: the time of a build, and the bytes that a reader loads. */
export async function documentation(): Promise<string> {
	const pages = thousandPages();
	rmSync(ROOT, { recursive: true, force: true });
	writeSite(pages);
	const { seconds, processor, kilobytes, search } = measured();
	const met = seconds <= TARGET.seconds && kilobytes <= TARGET.kilobytes ? 'met' : 'missed';
	return [
		markdownTable([
			[`${pages.length} pages`, 'build', 'of processor time', 'HTML of a page', 'first search, br'],
			['', `${seconds.toFixed(0)} s`, `${processor.toFixed(0)} s`, `${kilobytes.toFixed(1)} kB`, `${search.toFixed(0)} kB`],
		]),
		`Target: at most ${TARGET.seconds} s and ${TARGET.kilobytes} kB a page: ${met}. One build.`,
	].join('\n');
}

interface Measures {
	seconds: number;
	/** In seconds, on all processors: other programs on the machine change it less than they change elapsed time. */
	processor: number;
	kilobytes: number;
	search: number;
}

/** Builds the site and measures it. */
function measured(): Measures {
	const start = performance.now();
	const [command, args] = onAllCores(process.execPath, [path.join(ROOT, 'node_modules/astro/bin/astro.mjs'), 'build']);
	// Drops the output of the build; `times` prints its processor time.
	const times = execFileSync('sh', ['-c', '"$@" >/dev/null && times', 'sh', command, ...args], {
		cwd: ROOT,
		encoding: 'utf8',
		env: { PATH: process.env['PATH'], SITE_URL: 'https://www.website.test', ASTRO_TELEMETRY_DISABLED: '1' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const seconds = (performance.now() - start) / 1000;
	const built = path.join(ROOT, 'dist/client/docs');
	const sizes = globSync('group-*/**/*.html', { cwd: built }).map((file) => readFileSync(path.join(built, file)).length);
	if (sizes.length < 900) throw new Error(`${built} has ${sizes.length} pages.`);
	// The files that a browser loads for any first search.
	const loaded = globSync(['search.json', '../_astro/search.*.js'], { cwd: built }).map(
		(file) => brotliCompressSync(readFileSync(path.join(built, file))).length,
	);
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
function writeSite(pages: MadePage[]): void {
	for (const part of ['content', 'src', 'astro.config.mjs', 'package.json', 'tsconfig.json'])
		cpSync(part, path.join(ROOT, part), { recursive: true });
	symlinkSync(path.resolve('node_modules'), path.join(ROOT, 'node_modules'));
	for (const { file, title, order, prose } of pages) {
		const place = path.join(ROOT, 'content/docs', file);
		mkdirSync(path.dirname(place), { recursive: true });
		const top = ['---', `title: ${title}`, 'description: A page.', `order: ${order}`, '---'];
		writeFileSync(place, [...top, '', prose, ''].join('\n'));
	}
}
