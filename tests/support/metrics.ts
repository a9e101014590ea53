import { spawnSync } from 'node:child_process';
import { missing } from './missing.ts';
import type { TestServer } from './server.ts';

/** The address for metrics: the system chooses the port. */
export const METRICS = { METRICS_ADDRESS: '127.0.0.1:0' };

export async function metricsUrl({ process }: TestServer): Promise<string> {
	const [, url] = await process.printed(/"metrics":"(.*?)"/);
	return url!;
}

/** Returns the text that Prometheus would get. */
export async function scrape(server: TestServer): Promise<string> {
	const response = await fetch(await metricsUrl(server));
	return response.text();
}

/** Returns the value of a series, such as `leads_total{outcome="accepted"}`, or undefined if it is missing. */
export function valueOf(series: string, text: string): number | undefined {
	const line = text.split('\n').find((line) => line.startsWith(`${series} `));
	return line === undefined ? undefined : Number(line.slice(series.length));
}

/** Runs Prometheus' own tool. @param input the content of standard input */
export function promtool(args: string[], input?: string) {
	const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
	return { status, said: stdout + stderr };
}

export const promtoolMissing = missing(
	'Prometheus',
	promtool(['--version']).status === 0,
	'install promtool, of Debian’s prometheus.',
);
