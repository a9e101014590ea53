/** The unit is Grafana's name of it. In the PromQL, `{}` selects the job. The labels tell the lines of the panel apart. */
type Panel = [title: string, unit: string, expr: string, ...labels: string[]];

const increase = (title: string, metric: string, ...labels: string[]): Panel => {
	const expr = `sum by (${labels.join(', ')}) (increase(${metric}{}[$__rate_interval]))`;
	return [title, 'short', expr, ...labels];
};

const p99 = (title: string, histogram: string, ...labels: string[]): Panel => {
	const buckets = `sum by (${['le', ...labels].join(', ')}) (rate(${histogram}_bucket{}[$__rate_interval]))`;
	return [title, 's', `histogram_quantile(0.99, ${buckets})`, ...labels];
};

/** Instances share one store, so its greatest value counts. */
const panels: Panel[] = [
	increase('Submissions, by what became of them', 'leads_total', 'outcome'),
	['Leads that are not delivered', 'short', 'max by (state) (leads_kept{})', 'state'],
	['Age of the oldest that waits', 's', 'max(leads_oldest_waiting_age_seconds{})'],
	increase('Deliveries that came to an end', 'lead_deliveries_total', 'channel', 'outcome'),
	increase('Tries to deliver', 'lead_delivery_tries_total', 'channel'),
	increase('Verdicts on leads', 'lead_spam_verdicts_total', 'verdict'),
	increase('Signals of spam', 'lead_spam_signals_total', 'signal'),
	increase('Requests', 'http_request_duration_seconds_count', 'operation', 'status'),
	p99('Time of a request, 99 of 100', 'http_request_duration_seconds', 'operation'),
	p99('Time of a commit, 99 of 100', 'lead_store_commit_duration_seconds'),
	['Servers that answer', 'short', 'up{}', 'instance'],
	['Servers whose store answers', 'short', 'lead_store_up{}', 'instance'],
	['Delay of the event loop', 's', 'nodejs_eventloop_lag_p99_seconds{}', 'instance'],
	['Memory', 'bytes', 'process_resident_memory_bytes{}', 'instance'],
];

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** Returns a dashboard for Grafana over the server's metrics. It asks for the data source. A dashboard has 24 columns. */
export const grafanaDashboard = (identifier: string, name: string) => ({
	uid: identifier,
	title: name,
	schemaVersion: 39,
	time: { from: 'now-24h', to: 'now' },
	templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
	panels: panels.map(([title, unit, expr, ...labels], index) => ({
		id: index + 1,
		type: 'timeseries',
		title,
		datasource,
		gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
		fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
		targets: [
			{
				refId: 'A',
				datasource,
				expr: expr.replaceAll('{}', `{job="${identifier}"}`),
				legendFormat: labels.map((label) => `{{${label}}}`).join(' ') || title,
			},
		],
	})),
});
