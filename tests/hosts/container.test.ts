import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { newLead, postBody } from '../support/post-lead.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { shared } from '../support/shared.ts';
import { buildContainer, containerMissing } from './support/container.ts';

/** The most that the project adds to its base image. */
const MEBIBYTES = 16;

type Compose = { services: { website: { environment: Record<string, string>; secrets: string[]; stop_grace_period: string } } };
const { website } = (parse(readFileSync('var/test/dist/machines/compose.yaml', 'utf8')) as Compose).services;

describe.skipIf(containerMissing)('the container', () => {
	const container = shared(() => buildContainer());

	/** Runs a program beside the server, and returns its exit code and its output. */
	const resultOf = async (command: string[], PORT = '') => {
		await using program = container().run(command, { PORT });
		return [await program.exit(), program.output];
	};

	test('is small, and its user is not root', async () => {
		const [, used] = await resultOf(['du', '--summarize', '--block-size=M', '/app']);
		expect(Number.parseInt(String(used), 10)).toBeLessThanOrEqual(MEBIBYTES);
		expect(await resultOf(['id', '--user'])).toEqual([0, '1000\n']);
	});

	test('run as by compose, it delivers a lead, writes nothing but its volume, is healthy, and stops in time', async () => {
		const { config, run, secrets, volume } = container();
		await using team = await startSalesTeam();
		const settings: Record<string, string> = team.settings;
		for (const secret of website.secrets) {
			const file = `${secrets}/${secret}`;
			writeFileSync(file, settings[secret.toUpperCase().replaceAll('-', '_')] ?? '');
			chownSync(file, 1000, 1000);
			chmodSync(file, 0o400);
		}
		const { LEAD_EMAIL_TO, LEAD_EMAIL_FROM } = team.settings;
		// Other programs may have its ports here.
		const ports = { PORT: '0', METRICS_ADDRESS: '0.0.0.0:0' };
		await using server = run(config.Cmd, { LEAD_EMAIL_TO, LEAD_EMAIL_FROM, ...website.environment, ...ports });
		const [, url] = await server.printed(/"url":"(.*?)"/);
		const lead = newLead();
		expect((await postBody(url!, lead)).status).toBe(200);
		await expect.poll(() => team.missing([lead.message])).toEqual([]);
		expect(existsSync(`${volume}/leads.db`)).toBe(true);
		const [, metrics] = await server.printed(/"metrics":"(http.*?)"/);
		expect((await fetch(metrics!)).status).toBe(200);
		expect(config.Healthcheck.Test[0]).toBe('CMD');
		const { port } = new URL(url!);
		expect(await resultOf(config.Healthcheck.Test.slice(1), port)).toEqual([0, '']);
		expect(await resultOf(config.Healthcheck.Test.slice(1), '4')).toEqual([1, '']);
		expect(await resultOf(['sh', '-c', 'touch var/file && touch /tmp/file'])).toEqual([0, '']);
		expect(await resultOf(['touch', '/home/node/file'])).toEqual([1, expect.stringContaining('Read-only file system')]);

		const start = performance.now();
		const [id] = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').split(' ');
		process.kill(Number(id), config.StopSignal);
		expect(await server.exit()).toBe(0);
		expect((performance.now() - start) / 1000).toBeLessThan(Number.parseInt(website.stop_grace_period, 10));
	});
});
