/** A picture of one or several queries. */
interface Panel {
	title: string;
	/** Grafana's name of the unit. */
	unit: string;
	/** PromQL. The selector `{}` stands for the job, which is named for the service. */
	expr: string;
	/** The labels that tell the lines apart, or else a name of the line. */
	legend: string[] | string;
}

/** How many of them there were in the time between two points. */
const increase = (title: string, metric: string, ...legend: string[]): Panel => ({
	title,
	unit: 'short',
	expr: `sum by (${legend.join(', ')}) (increase(${metric}{}[$__rate_interval]))`,
	legend,
});

/** The time that all but one of a hundred stayed below. */
const p99 = (title: string, histogram: string, ...legend: string[]): Panel => ({
	title,
	unit: 's',
	expr: `histogram_quantile(0.99, sum by (${['le', ...legend].join(', ')}) (rate(${histogram}_bucket{}[$__rate_interval])))`,
	legend: legend.length > 0 ? legend : '99 %',
});

/** Instances share one store, so its greatest value counts. */
const panels: Panel[] = [
	increase('Submissions, by what became of them', 'leads_total', 'outcome'),
	{ title: 'Leads that are not delivered', unit: 'short', expr: 'max by (state) (leads_kept{})', legend: ['state'] },
	{ title: 'Age of the oldest that waits', unit: 's', expr: 'max(leads_oldest_waiting_age_seconds{})', legend: 'oldest' },
	increase('Deliveries that came to an end', 'lead_deliveries_total', 'channel', 'outcome'),
	increase('Tries to deliver', 'lead_delivery_tries_total', 'channel'),
	increase('Verdicts on leads', 'lead_spam_verdicts_total', 'verdict'),
	increase('Signals of spam', 'lead_spam_signals_total', 'signal'),
	increase('Requests', 'http_request_duration_seconds_count', 'operation', 'status'),
	p99('Time of a request, 99 of 100', 'http_request_duration_seconds', 'operation'),
	p99('Time of a commit, 99 of 100', 'lead_store_commit_duration_seconds'),
	{ title: 'Servers that answer', unit: 'short', expr: 'up{}', legend: ['instance'] },
	{ title: 'Servers whose store answers', unit: 'short', expr: 'lead_store_up{}', legend: ['instance'] },
	{ title: 'Delay of the event loop', unit: 's', expr: 'nodejs_eventloop_lag_p99_seconds{}', legend: ['instance'] },
	{ title: 'Memory', unit: 'bytes', expr: 'process_resident_memory_bytes{}', legend: ['instance'] },
];

const datasource = { type: 'prometheus', uid: '${datasource}' };
/** Of the 24 columns of a dashboard. */
const [WIDTH, HEIGHT] = [8, 8];

/** Returns a dashboard for Grafana over the server's metrics. It asks for the data source. */
export const grafanaDashboard = (identifier: string, name: string) => ({
	uid: identifier,
	title: name,
	schemaVersion: 39,
	refresh: '1m',
	time: { from: 'now-24h', to: 'now' },
	templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
	panels: panels.map(({ title, unit, expr, legend }, index) => ({
		id: index + 1,
		type: 'timeseries',
		title,
		datasource,
		gridPos: { x: (index % 3) * WIDTH, y: Math.floor(index / 3) * HEIGHT, w: WIDTH, h: HEIGHT },
		fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
		targets: [
			{
				refId: 'A',
				datasource,
				expr: expr.replaceAll('{}', `{job="${identifier}"}`),
				legendFormat: typeof legend === 'string' ? legend : legend.map((label) => `{{${label}}}`).join(' '),
			},
		],
	})),
});
