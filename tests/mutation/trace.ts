import { fstatSync, openSync, writeSync } from 'node:fs';

/**
 * Loaded before a program under test: writes down each mutant that it comes by, once since the file was emptied last, and before it
 * `static` where it only loads the modules that all its programs share.
 */
const file = openSync(process.env['MUTANT_TRACE']!, 'a');
const written = new Set<string>();
let size = 0;

const coverage = new Proxy<Record<string, number>>(
	{},
	{
		set(_, mutant) {
			if (fstatSync(file).size < size) forget();
			if (!written.has(String(mutant))) write(isLoading() ? `static ${String(mutant)}` : String(mutant));
			return true;
		},
	},
);

function forget(): void {
	written.clear();
	size = 0;
}

function write(line: string): void {
	if (!written.has(line)) size += writeSync(file, `${line}\n`);
	written.add(line);
}

function isLoading(): boolean {
	const frames = wholeStack().split('\n');
	const loader = frames.findIndex((frame) => frame.includes('ModuleJob.run'));
	return loader > 0 && frames[loader - 1]!.includes('/chunks/');
}

function wholeStack(): string {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = Number.POSITIVE_INFINITY;
	const { stack = '' } = new Error();
	Error.stackTraceLimit = stackTraceLimit;
	return stack;
}

Object.assign(globalThis, { __stryker__: { mutantCoverage: { static: coverage, perTest: {} } } });
