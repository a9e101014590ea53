/** The address for metrics: the system chooses the port. */
export const METRICS = { METRICS_ADDRESS: '127.0.0.1:0' };

interface Watched {
	process: { printed(pattern: RegExp): Promise<RegExpExecArray> };
}

/** Where a server says that its metrics are. */
export async function metricsUrl({ process }: Watched): Promise<string> {
	const [, url] = await process.printed(/"metrics":"(.*?)"/);
	return url!;
}

/** What Prometheus would get. */
export async function scrape(server: Watched): Promise<string> {
	const response = await fetch(await metricsUrl(server));
	return response.text();
}

/** The value of a series, such as `leads_total{outcome="accepted"}`; undefined where it is not there. */
export function valueOf(series: string, text: string): number | undefined {
	const line = text.split('\n').find((line) => line.startsWith(`${series} `));
	return line === undefined ? undefined : Number(line.slice(series.length));
}
