import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { freePort } from './free-port.ts';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const found = spawnSync('prometheus', ['--version']).status === 0;

/** Why there is no Prometheus to test with, or undefined if there is one. Printed once, because a skipped test is silent. */
export const prometheusMissing = found ? undefined : 'Prometheus tests skipped: install Debian’s prometheus.';
if (prometheusMissing) console.warn(prometheusMissing);

interface Series {
	metric: Record<string, string>;
	value: [time: number, value: string];
}

/** Starts a Prometheus that asks a server for its metrics every second. */
export async function startPrometheus(job: string, metrics: string) {
	const folder = await temporaryFolder();
	const address = `127.0.0.1:${await freePort()}`;
	const file = `${folder.path}/prometheus.yml`;
	const scrape = { job_name: job, scrape_interval: '1s', static_configs: [{ targets: [new URL(metrics).host] }] };
	// JSON is valid YAML.
	writeFileSync(file, JSON.stringify({ scrape_configs: [scrape] }));
	const args = [`--config.file=${file}`, `--storage.tsdb.path=${folder.path}/data`, `--web.listen-address=${address}`];
	const server = new TestProcess(args, { program: 'prometheus' });
	await server.printed(/Server is ready to receive web requests/);
	return {
		/** Returns what a query finds now. */
		async ask(query: string): Promise<Series[]> {
			const response = await fetch(`http://${address}/api/v1/query`, { method: 'POST', body: new URLSearchParams({ query }) });
			const { error, data } = (await response.json()) as { error?: string; data?: { result: Series[] } };
			if (!data) throw new Error(`${query}: ${error}`);
			return data.result;
		},
		async [Symbol.asyncDispose]() {
			await server[Symbol.asyncDispose]();
			await folder[Symbol.asyncDispose]();
		},
	};
}
