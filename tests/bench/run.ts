import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Comparison, printTable, ROUNDS } from './comparison.ts';
import { answers } from './answers.ts';
import { http, start } from './http.ts';
import { spam } from './spam.ts';
import { stalls } from './stalls.ts';
import { storeSize } from './store-size.ts';
import { leaveServersCore, SECONDS } from './contender.ts';

/** The benchmarks, each against a yardstick in the same run. `npm run bench -- NAME …` runs some of them. */
const comparisons: Record<string, () => Promise<Comparison[]>> = { http, answers, start, stalls, 'store-size': storeSize, spam };

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(comparisons);
const unknown = wanted.find((name) => !(name in comparisons));
if (unknown !== undefined)
	throw new Error(`There is no benchmark "${unknown}". There are: ${Object.keys(comparisons).join(', ')}.`);

leaveServersCore();
const { node, sqlite } = process.versions;
const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8')) as { version: string };
console.log(`Node.js ${node}, SQLite ${sqlite}, fastify ${version}`);
console.log(`${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`);

const compared: Comparison[] = [];
for (const name of wanted) compared.push(...(await comparisons[name]!()));
printTable(compared);
console.log(`\nRates: ${ROUNDS} rounds of ${SECONDS} s each in turns, 50 connections of wrk.`);
