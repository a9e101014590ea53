import { cpus } from 'node:os';
import { durableLeads } from './durable-leads.ts';

/** Each measures something against a yardstick, in the same run, and gives what to print. */
const benchmarks: Record<string, () => Promise<string>> = {
	'durable-leads': durableLeads,
};

const { node, sqlite } = process.versions;
console.log(
	`Node.js ${node}, SQLite ${sqlite}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}`,
);
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benchmarks))
	if (wanted.length === 0 || wanted.includes(name)) console.log(`\n${await run()}`);
