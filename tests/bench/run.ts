import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Comparison, comparisonHead, comparisonRows, ROUNDS } from './comparison.ts';
import { coldStart } from './cold-start.ts';
import { documentation } from './documentation.ts';
import { durableLeads } from './durable-leads.ts';
import { memory, start } from './footprint.ts';
import { hitTime } from './hit-time.ts';
import { http } from './http.ts';
import { preview } from './preview.ts';
import { spam } from './spam.ts';
import { stalls } from './stalls.ts';
import { storeSize } from './store-size.ts';
import { leaveServersCore, SECONDS } from './load.ts';
import { markdownTable } from './table.ts';
import { buildYardsticks } from './yardsticks/build.ts';

/** The benchmarks, each against a yardstick in the same run. `npm run bench -- NAME …` runs some of them. */
const comparisons: Record<string, () => Promise<Comparison[]>> = {
	http,
	start,
	memory,
	'cold-start': coldStart,
	'hit-time': hitTime,
	preview,
	stalls,
	'store-size': storeSize,
};
/** Benchmarks that return the text to print. */
const reports: Record<string, () => Promise<string>> = { 'durable-leads': durableLeads, documentation, spam };

const names = [...Object.keys(comparisons), ...Object.keys(reports)];
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}". There are: ${names.join(', ')}.`);
const isWanted = ([name]: [string, unknown]) => wanted.length === 0 || wanted.includes(name);

leaveServersCore();
console.log(`${versions()}\n${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`);

const compared: Comparison[] = [];
const compares = Object.entries(comparisons).filter(isWanted);
if (compares.length > 0) await buildYardsticks();
for (const [, compare] of compares) compared.push(...(await compare()));
if (compared.length > 0) {
	console.log(markdownTable([comparisonHead, ...compared.flatMap(comparisonRows)]));
	console.log(`\nRates: ${ROUNDS} rounds of ${SECONDS} s each in turns, 50 connections of wrk.`);
}
for (const [, report] of Object.entries(reports).filter(isWanted)) console.log(`\n${await report()}`);

/** Returns the versions of all contenders. */
function versions(): string {
	const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8')) as { version: string };
	const { node, sqlite } = process.versions;
	return `Node.js ${node}, SQLite ${sqlite}, fastify ${version}`;
}
