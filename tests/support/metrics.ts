import { spawnSync } from 'node:child_process';
import { missing } from './missing.ts';
import type { TestServer } from './server.ts';

/** The address for metrics: the system chooses the port. */
export const METRICS = { METRICS_ADDRESS: '127.0.0.1:0' };

export const metricsUrl = async ({ process }: TestServer) => (await process.printed(/"metrics":"(.*?)"/))[1]!;

export const scrape = async (server: TestServer) => (await fetch(await metricsUrl(server))).text();

/** Returns the value of a series, such as `leads_total{outcome="accepted"}`, or undefined if it is missing. */
export function valueOf(series: string, text: string): number | undefined {
	const line = text.split('\n').find((line) => line.startsWith(`${series} `));
	return line === undefined ? undefined : Number(line.slice(series.length));
}

export const kept = (state: string) => `leads_kept{state="${state}"}`;

/** Runs Prometheus' own tool. @param input the content of standard input */
export function promtool(args: string[], input?: string) {
	const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
	return { status, said: stdout + stderr };
}

const promtoolRuns = promtool(['--version']).status === 0;
export const promtoolMissing = missing('Prometheus', promtoolRuns, 'install promtool, of Debian’s prometheus.');
