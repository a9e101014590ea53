import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Comparison, comparisonHead, comparisonRows, ROUNDS } from './comparison.ts';
import { start } from './start-up.ts';
import { http } from './http.ts';
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
	stalls,
	'store-size': storeSize,
};

const names = [...Object.keys(comparisons), 'spam'];
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}". There are: ${names.join(', ')}.`);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

leaveServersCore();
console.log(`${versions()}\n${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`);

const compared: Comparison[] = [];
const compares = Object.keys(comparisons).filter(isWanted);
if (compares.length > 0) await buildYardsticks();
for (const name of compares) compared.push(...(await comparisons[name]!()));
if (compared.length > 0) {
	console.log(markdownTable([comparisonHead, ...compared.flatMap(comparisonRows)]));
	console.log(`\nRates: ${ROUNDS} rounds of ${SECONDS} s each in turns, 50 connections of wrk.`);
}
if (isWanted('spam')) console.log(`\n${await spam()}`);

/** Returns the versions of all contenders. */
function versions(): string {
	const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8')) as { version: string };
	const { node, sqlite } = process.versions;
	return `Node.js ${node}, SQLite ${sqlite}, fastify ${version}`;
}
