import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { service } from '../../src/facts/load.ts';
import { METRICS, scrape, promtool, promtoolMissing } from '../support/metrics.ts';
import { postLead } from '../support/post-lead.ts';
import { startStoring } from '../support/lead-places.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILE = 'var/test/dist/machines/alerts.yml';
const { groups } = parse(readFileSync(FILE, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] };
const rules = groups.flatMap(({ rules }) => rules);

const job = `job="${service.identifier}"`;

/** A series for each alert, once with the trouble and once without. Values in promtool's notation, one a minute. */
const cases: Record<string, [series: string, trouble: string, none: string]> = {
	ServerDown: [`up{${job}}`, '0x30', '1x30'],
	StoreNotWritable: [`lead_store_writable{${job}}`, `${'1 1 1 0 '.repeat(7)}1 1 1`, '1x28 0 1'],
	LeadsRefused: [`http_answers_total{${job},operation="submitLead",status="503"}`, '0+1x30', '0x30'],
	ServerFails: [`http_answers_total{${job},operation="submitLead",status="500"}`, '0+1x30', '0x30'],
	LeadsWait: [`leads_oldest_waiting_age_seconds{${job}}`, '3601x30', '3599x30'],
	LeadsParked: [`leads_kept{${job},state="parked"}`, '1x30', '0x30'],
	DeliveryFailed: [`lead_delivery_tries_total{${job},channel="email",outcome="failed"}`, '0+1x30', '0x30'],
	CanaryLost: [`node_systemd_unit_state{name="${service.identifier}-canary.service",state="failed"}`, '1x30', '0x30'],
};

test('what the alerts look at is what the server serves', async () => {
	await using storing = await startStoring(METRICS);
	await postLead(storing.server.url);
	await expect.poll(async () => scrape(storing.server)).toContain('submitLead');
	const text = await scrape(storing.server);
	const named = rules.flatMap(({ expr }) => [...expr.matchAll(/(\w+)\{/g)].map(([, name]) => name!));
	expect(named.filter((name) => !/^(up|node_.*)$/.test(name) && !new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([]);
	const alerts = rules.map(({ alert }) => alert);
	expect(Object.keys(cases)).toEqual(alerts);
	const explained = readFileSync('handbook/alerts.md', 'utf8').matchAll(/^## ([A-Z]\w+)$/gm);
	expect([...explained].map(([, name]) => name)).toEqual(alerts);
});

test.skipIf(promtoolMissing).each(Object.entries(cases))('%s fires in trouble', async (alertname, [series, trouble, none]) => {
	const asked = `count(ALERTS{alertname="${alertname}",alertstate="firing"})`;
	const firing = (values: string, exp_samples: object[]) => ({
		interval: '1m',
		input_series: [{ series, values }],
		promql_expr_test: [{ expr: asked, eval_time: '30m', exp_samples }],
	});
	await using folder = await temporaryFolder();
	const file = `${folder.path}/test.yml`;
	const tests = [firing(trouble, [{ labels: '{}', value: 1 }]), firing(none, [])];
	// JSON is valid YAML.
	writeFileSync(file, JSON.stringify({ rule_files: [resolve(FILE)], tests }));
	expect(promtool(['test', 'rules', file])).toMatchObject({ status: 0 });
});
