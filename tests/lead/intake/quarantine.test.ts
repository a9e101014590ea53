import fc from '../../support/fast-check.ts';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { service } from '../../../src/facts/load.ts';
import type { SendResult } from '../../../src/lead/channels/channel.ts';
import type { Lead } from '../../../src/lead/lead.ts';
import { faultsOf, quarantinedLead } from '../../../src/lead/intake/quarantine.ts';
import { openPipeline } from '../../../src/lead/pipeline.ts';
import { startFunction } from '../../support/function.ts';
import { hostileLead } from '../../support/hostile-lead.ts';
import { lead, postBody } from '../../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../../support/postgres.ts';
import { startServer } from '../../support/server.ts';
import { hit, startTrapping } from '../../support/trapping-server.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Storing = Awaited<ReturnType<typeof startTrapping>>;

describe.each([
	['a program', { 'content-type': 'application/json' }, JSON.stringify],
	['the form alone', { accept: 'text/html' }, (body: object) => new URLSearchParams(body as Record<string, string>)],
])('a hit from %s is answered like a lead: same status, headers and body', (_, headers, encode) => {
	/** Returns the answer without the parts that depend on the time. */
	const answerTo = async ({ server }: Storing, body: object) => {
		const response = await fetch(`${server.url}/api/contact`, {
			method: 'POST',
			headers,
			body: encode(body),
			redirect: 'manual',
		});
		const timed = { date: '', 'retry-after': 'n', ratelimit: response.headers.get('ratelimit')?.replace(/t=\d+/, 't=n') };
		return {
			status: response.status,
			headers: { ...Object.fromEntries(response.headers), ...timed },
			body: await response.text(),
		};
	};

	test('where there is no limit', async () => {
		await using storing = await startTrapping({ LEAD_RATE_LIMIT: 'off' });
		const answer = await answerTo(storing, hit);
		expect(answer.status).toBeLessThan(400);
		expect(answer).toEqual(await answerTo(storing, lead));
		expect(await storing.quarantined()).toHaveLength(1);
	});

	test('over the limit, and then nothing is kept of it', async () => {
		await using storing = await startTrapping({ LEAD_RATE_LIMIT: '1/10m' });
		await answerTo(storing, lead);
		const answer = await answerTo(storing, hit);
		expect(answer.status).toBe(429);
		expect(answer).toEqual(await answerTo(storing, lead));
		expect(await storing.quarantined()).toEqual([]);
	});
});

test('a hit waits for the disk as a lead does: what was answered is there after a kill', async () => {
	await using storing = await startTrapping();
	await postBody(storing.server.url, hit);
	storing.server.process.signal('SIGKILL');
	await storing.server.process.exit();
	expect(await storing.quarantined()).toHaveLength(1);
});

test('a hit is kept and not delivered; released, it goes to the channels like any lead', async () => {
	await using storing = await startTrapping();
	await postBody(storing.server.url, hit);
	await postBody(storing.server.url, { ...lead, name: 'Bob' });
	await expect.poll(() => storing.leadsReceived().length).toBe(1);
	const [id] = await storing.quarantined();
	const { code, stdout } = await storing.leads('release', id!.slice(-8));
	expect([code, stdout]).toEqual([0, expect.stringContaining('Released to json:127.0.0.1')]);

	// The server looks every 15 seconds, and whenever a lead arrives.
	await postBody(storing.server.url, { ...lead, name: 'Eve' });
	await expect.poll(() => storing.leadsReceived().length).toBe(3);
	expect(
		storing
			.leadsReceived()
			.map(({ name }) => name)
			.toSorted(),
	).toEqual(['Ana Ruiz', 'Bob', 'Eve']);
	expect(storing.leadsReceived().find((data) => data['id'] === id)).not.toHaveProperty('website');
	expect(await storing.quarantined()).toEqual([]);
});

describe('Of what lies in quarantine and could be a lead', () => {
	const found = ({ mails }: Awaited<ReturnType<typeof startSmtpServer>>) =>
		mails.filter(({ parsed }) => parsed.subject!.includes('taken for spam'));

	test('mail tells at once, with who it is and how to release each, and chat tells the number only', async () => {
		await using smtp = await startSmtpServer();
		await using storing = await startTrapping({ ...smtp.settings, LEAD_WEBHOOK_FORMAT: 'mattermost' });
		await postBody(storing.server.url, { website: 'x', name: 'Bot' });
		await postBody(storing.server.url, hit);
		await expect.poll(() => found(smtp).length).toBe(1);
		const [{ parsed } = { parsed: undefined }] = found(smtp);
		const [, id] = /npm run leads -- release ([0-9a-f]{8})/.exec(parsed!.text!)!;
		expect(parsed!.subject).toBe(`${service.name}: 1 possible lead was taken for spam`);
		for (const word of [lead.name, lead.clinic, lead.email]) expect(parsed!.text).toContain(word);
		expect((await storing.leads('release', id!)).code).toBe(0);

		await storing.receiver.received(1);
		const { body } = storing.receiver.requests[0]!;
		expect(body).toContain('1 possible lead was taken for spam');
		expect(body).not.toMatch(/Ana|Sol|clinicasol|Possible lead/);
	});

	test('a flood makes one notice, and another a day later tells of all since', async () => {
		await using smtp = await startSmtpServer();
		await using storing = await startTrapping({ ...smtp.settings, LEAD_RATE_LIMIT: 'off' });
		const flood = (from: string) =>
			Promise.all(Array.from({ length: 30 }, (_, turn) => postBody(storing.server.url, { ...hit, name: `${from} ${turn}` })));
		await postBody(storing.server.url, hit);
		await expect.poll(() => found(smtp).length).toBe(1);
		await flood('one');
		expect(await storing.quarantined()).toHaveLength(31);
		using database = storing.database();
		database.exec('UPDATE lead_onces SET expires_at = expires_at - 86400000');
		await flood('two');
		await expect.poll(() => found(smtp).length).toBe(2);
		const [, second] = found(smtp);
		const [, number] = /(\d+) possible leads were taken/.exec(second!.parsed.subject!)!;
		expect(Number(number)).toBeGreaterThanOrEqual(30);
		expect(second!.parsed.text!.match(/leads -- release/g)).toHaveLength(20);
		const events = storing.receiver.requests.map(({ body }) => JSON.parse(body) as object);
		expect(events[0]).toMatchObject({ type: 'leads.quarantined', data: { id: expect.any(String), number: 1 } });
	});

	test('who was erased before the mail goes out is not in it', async () => {
		const held = Promise.withResolvers<number>();
		await using smtp = await startSmtpServer({ judge: (_, before) => (before === 0 ? held.promise : 250) });
		await using storing = await startTrapping({ ...smtp.settings, LEAD_RETRY: '1s 1s' });
		await postBody(storing.server.url, hit);
		await expect.poll(() => smtp.offered.length).toBe(1);
		await storing.leads('erase', lead.email, '--yes');
		held.resolve(450);
		await expect.poll(() => found(smtp).length).toBe(1);
		expect(found(smtp)[0]!.raw).not.toMatch(/Ana|clinicasol/);
	});

	test('LEAD_RETENTION=0 keeps it until somebody could decide, and nothing else', async () => {
		await using storing = await startTrapping({ LEAD_RETENTION: '0' });
		await postBody(storing.server.url, { website: 'x', name: 'Bot' });
		await postBody(storing.server.url, hit);
		await expect.poll(storing.quarantined).toHaveLength(1);
		expect((await storing.leads('release', (await storing.quarantined())[0]!)).code).toBe(0);
	});

	test('what came while there was nobody to tell is told of as soon as there is a channel', async () => {
		await using storing = await startTrapping({ LEAD_WEBHOOK_URL: '' });
		await postBody(storing.server.url, hit);
		storing.server.process.signal('SIGTERM');
		expect(await storing.server.process.exit()).toBe(0);
		await using _ = await startServer({ ...storing.env, LEAD_WEBHOOK_URL: storing.receiver.url });
		await storing.receiver.received(1);
		expect(storing.receiver.requests[0]!.body).toContain('leads.quarantined');
	});

	test('what comes as the server stops is told of before it ends', async () => {
		await using folder = await temporaryFolder();
		const told: string[] = [];
		const { intake, stop } = await openPipeline({
			store: { kind: 'sqlite', path: `${folder.path}/leads.db` },
			channels: [
				{ name: 'real', send: ({ event }) => Promise.resolve({ ok: told.push(event.type) > 0 }) as Promise<SendResult> },
			],
			schedule: [1],
			retention: 86_400,
			language: 'en',
			log: pino({ level: 'silent' }),
		});
		await intake.quarantine(hit, {});
		await stop();
		expect(told).toEqual(['leads.quarantined']);
	});

	test.skipIf(postgresMissing)('no notice goes out before the store knows whom it covers', async () => {
		await using smtp = await startSmtpServer();
		await using postgres = await startPostgres();
		const url = await postgres.createDatabase();
		await using storing = await startTrapping({ ...smtp.settings, LEAD_STORE: url });
		await using database = await connectedTo(url);
		await database.query(`
			CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
				'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END';
			CREATE TRIGGER wait_for_test BEFORE UPDATE OF notice ON lead_entries FOR EACH ROW EXECUTE FUNCTION wait_for_test();
			SELECT pg_advisory_lock(1)`);
		await postBody(storing.server.url, hit);
		const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
		await expect.poll(async () => (await database.query(waiting)).rowCount).toBe(1);
		// A lead makes the server look for everything that is due.
		await postBody(storing.server.url, { ...lead, name: 'Bob' });
		await expect.poll(() => smtp.mails.some(({ parsed }) => parsed.text!.includes('Bob'))).toBe(true);
		await database.query('SELECT pg_advisory_unlock(1)');
		await expect.poll(() => found(smtp).length).toBe(1);
		expect(found(smtp)[0]!.parsed.text).toContain(lead.name);
		const told = `SELECT FROM lead_entries WHERE told_at IS NOT NULL`;
		await expect.poll(async () => (await database.query(told)).rowCount).toBe(1);
	});

	test('a notice that cannot be saved is in the log', async () => {
		await using storing = await startTrapping();
		storing.refuseNotices();
		expect((await postBody(storing.server.url, hit)).status).toBe(200);
		const failure = { level: 'error', err: expect.objectContaining({ type: 'StoreError' }) };
		await expect.poll(() => storing.server.process.log).toContainEqual(expect.objectContaining(failure));
	});

	test('without a store mail tells of each within its request: a server that is killed has lost none', async () => {
		await using smtp = await startSmtpServer();
		await using server = await startServer({ ...smtp.settings, LEAD_STORE: 'none' });
		for (const name of ['One', 'Two', 'Three', 'Three']) await postBody(server.url, { ...hit, name });
		server.process.signal('SIGKILL');
		await server.process.exit();
		expect(found(smtp).map(({ parsed }) => /^One|^Two|^Three/m.exec(parsed.text!.replace(/^ +/gm, ''))?.[0])).toEqual([
			'One',
			'Two',
			'Three',
		]);
		expect(found(smtp)[0]!.parsed.text).toContain('LEAD_STORE is none, so they are not kept');
		expect(found(smtp)[0]!.parsed.text).not.toMatch(/release|false/);
		expect(server.process.output).not.toMatch(/clinicasol/);
	});

	test('instances without a store tell of each once, in one conversation a day', async () => {
		await using smtp = await startSmtpServer();
		const env = { ...smtp.settings, LEAD_STORE: 'none' };
		const tell = async (turn: number) => {
			await using instance = await startFunction(env);
			for (const part of ['a', 'b']) await postBody(instance.url, { ...hit, name: `Visitor ${turn}${part}` });
			instance.process.signal('SIGKILL');
			await instance.process.exit();
		};
		await Promise.all([1, 2, 3].map(tell));
		const names = found(smtp).map(({ parsed }) => /Visitor \d[ab]/.exec(parsed.text!)?.[0]);
		expect(names.toSorted()).toEqual(['1a', '1b', '2a', '2b', '3a', '3b'].map((name) => `Visitor ${name}`));
		const ids = (member: 'references' | 'messageId') => new Set(found(smtp).map(({ parsed }) => parsed[member]));
		expect([ids('references').size, ids('messageId').size]).toEqual([1, 6]);
	});

	test('without a store what could be no lead is told of nowhere, nor is it when the server stops', async () => {
		await using smtp = await startSmtpServer();
		await using server = await startServer({ ...smtp.settings, LEAD_STORE: 'none' });
		await postBody(server.url, { website: 'x', name: 'Bot' });
		server.process.signal('SIGTERM');
		expect(await server.process.exit()).toBe(0);
		expect(server.process.log).toContainEqual(expect.objectContaining({ faults: expect.arrayContaining(['email_required']) }));
		expect(smtp.mails).toEqual([]);
	});
});

test('list --state quarantined says who each is from and what it would fail for; other lists do with --long', async () => {
	await using storing = await startTrapping();
	await postBody(storing.server.url, { ...hit, name: 'Eve' });
	await postBody(storing.server.url, { ...hit, name: 'Bot', clinic: '', email: 'a@b.example, c@d.example' });
	const [quarantined, all, long] = [['--state', 'quarantined'], [], ['--long']].map((options) =>
		storing.leads('list', ...options),
	);
	for (const { stdout } of [await quarantined!, await long!]) {
		expect(stdout).toMatch(/^ +Eve · Clínica Sol · ana@clinicasol\.example · could be released · It filled a field/m);
		expect(stdout).toMatch(/^ +Bot · a@b\.example, c@d\.example · no lead: clinic_required, email_invalid · It filled a field/m);
	}
	expect((await all!).stdout).not.toMatch(/Eve|Bot|@/);
	const { entries } = JSON.parse((await storing.leads('list', '--state', 'quarantined', '--json')).stdout) as {
		entries: object[];
	};
	expect(entries).toMatchObject([
		{ name: 'Bot', faults: ['clinic_required', 'email_invalid'] },
		{ name: 'Eve', faults: [] },
	]);
});

test('what is no lead is not released, with the reason, and can still be read', async () => {
	await using storing = await startTrapping();
	await postBody(storing.server.url, { website: 'x', name: 'Bot\u001B[2J', email: 'a@b.example, c@d.example', consent: 'on' });
	const [id] = await storing.quarantined();
	const { code, stderr } = await storing.leads('release', id!);
	expect([code, stderr]).toEqual([1, expect.stringContaining('clinic_required, email_invalid')]);
	expect((await storing.leads('show', id!)).stdout).toMatch(/^Name +Bot\[2J$/m);
	expect(await storing.quarantined()).toEqual([id]);
});

test('a lead that would have been valid is released whole', async () => {
	await using storing = await startTrapping();
	const whole = {
		name: '😀'.repeat(120),
		clinic: `${'\u0958'.repeat(160)}`,
		message: `${'e\u0301'.repeat(4990)}\n👩‍⚕️ end`,
		phone: ' 600 ',
	};
	await postBody(storing.server.url, { ...hit, ...whole, country: null, lang: 7 });
	const [id] = await storing.quarantined();
	expect((await storing.leads('release', id!)).code).toBe(0);
	await postBody(storing.server.url, lead);
	await expect.poll(() => storing.leadsReceived().length).toBe(2);
	const leads = storing.leadsReceived();
	const { website: _, ...sent } = hit;
	const message = whole.message.normalize('NFC');
	expect(leads.find((data) => data['id'] === id)).toMatchObject({ ...sent, ...whole, message, phone: '600' });
});

test.each([
	['too long', { name: '😀'.repeat(121) }, 'name_too_long'],
	['much too long', { message: 'x'.repeat(30_000) }, 'message_too_long'],
	['much too long, and mostly of what nobody sees', { name: `a${'\u200B'.repeat(600)}b` }, 'name_too_long'],
	['without consent, though it looks so', { consent: ' on ' }, 'consent_required'],
	['in other letters', { consent: 'ON' }, 'consent_required'],
	['without a name', { name: null }, 'name_required'],
	['from an address that the form refuses', { email: 'añá@clinica.example' }, 'email_invalid'],
])('a hit that is no lead, being %s, is not released', async (_case, fields, code) => {
	await using storing = await startTrapping();
	await postBody(storing.server.url, { ...hit, ...fields });
	const [id] = await storing.quarantined();
	expect((await storing.leads('release', id!)).stderr).toContain(`could be delivered: ${code}.`);
});

test('of a hit only fields of a lead are kept that are text, cleaned as in a lead; what is too long is cut, and stays too long', () => {
	const fields = {
		name: ' Ana\nRuiz\u0007 ',
		clinic: '😀'.repeat(4000),
		message: 'x'.repeat(9000),
		phone: 5,
		other: 'gone',
		website: 'x',
	};
	const [clinic, message] = [`${'😀'.repeat(160)}…`, `${'x'.repeat(5000)}…`];
	expect(quarantinedLead(fields)).toEqual({ name: 'Ana Ruiz', clinic, message, website: 'x' });
});

test('whatever a lead holds is kept as it is', () => {
	const given = (fields: Partial<Lead>) => Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
	fc.assert(fc.property(hostileLead, (fields) => void expect(quarantinedLead(fields)).toEqual(given(fields))));
	fc.assert(
		fc.property(hostileLead, (fields) => void expect(faultsOf(quarantinedLead({ ...fields, website: 'x' }))).toEqual([])),
	);
});
