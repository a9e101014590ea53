import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { METRICS, metricsUrl } from '../support/metrics.ts';
import { lead, postBody, postLead } from '../support/post-lead.ts';
import { prometheusMissing, startPrometheus } from '../support/prometheus.ts';
import { startStoring } from '../support/storing-server.ts';

interface Panel {
	title: string;
	targets: { expr: string; legendFormat: string }[];
}

const { panels } = JSON.parse(readFileSync('var/test/dist/machines/grafana.json', 'utf8')) as { panels: Panel[] };
const targets = panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));

/** Grafana replaces the name by four scrape intervals at least. */
const asked = (expr: string) => expr.replaceAll('$__rate_interval', '1m');

test.skipIf(prometheusMissing)(
	'each query of the dashboard finds numbers in a Prometheus that watches a server, with the labels of its legend',
	async () => {
		await using storing = await startStoring({ ...METRICS, LEAD_RATE_LIMIT: 'off' });
		await using prometheus = await startPrometheus(service.identifier, await metricsUrl(storing.server));
		/** Returns the panels that show no number for a visitor's lead and a hit. */
		const empty = async () => {
			const message = randomUUID();
			await postLead(storing.server.url, { message });
			await postBody(storing.server.url, { ...lead, message, website: 'x' });
			const found = await Promise.all(targets.map(({ expr }) => prometheus.ask(asked(expr))));
			return targets.filter((_, index) => !found[index]!.some(({ value: [, value] }) => Number.isFinite(Number(value))));
		};
		await expect.poll(empty, { timeout: 60_000, interval: 500 }).toEqual([]);

		for (const { title, expr, legendFormat } of targets) {
			const lines = (await prometheus.ask(asked(expr))).map(({ metric }) =>
				legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? 'UNKNOWN'),
			);
			expect
				.soft([title, lines.join(), new Set(lines).size])
				.toEqual([title, expect.not.stringContaining('UNKNOWN'), lines.length]);
		}
	},
	90_000,
);

test('a dashboard’s panels lie side by side, and each shows something of its own', () => {
	const places = panels.map((panel) => (panel as Panel & { gridPos: { x: number; y: number } }).gridPos);
	expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(panels.length);
	expect(new Set(targets.map(({ expr }) => expr)).size).toBe(panels.length);
});
