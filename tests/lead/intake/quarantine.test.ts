import fc from '../../support/fast-check.ts';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { service } from '../../../src/facts/load.ts';
import type { SendResult } from '../../../src/lead/channels/channel.ts';
import type { Lead } from '../../../src/lead/lead.ts';
import { faultsOf, quarantinedLead } from '../../../src/lead/intake/quarantine.ts';
import { openPipeline } from '../../../src/lead/pipeline.ts';
import { hostileLead } from '../../support/hostile-lead.ts';
import { startBackend } from '../../support/lead-backend.ts';
import { startLeadKeeping } from '../../support/lead-keeping.ts';
import { formOf, hit, lead, postBody } from '../../support/post-lead.ts';
import { startServer } from '../../support/server.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('A hit is answered like a lead: same status, headers and body', () => {
	const forms = {
		program: { headers: { 'content-type': 'application/json' }, encode: JSON.stringify },
		page: { headers: { accept: 'text/html' }, encode: formOf },
	};

	/** Returns the answer without the parts that depend on the time. */
	async function answerTo(url: string, body: typeof lead, { headers, encode }: (typeof forms)['program' | 'page']) {
		const response = await fetch(`${url}/api/contact`, { method: 'POST', headers, body: encode(body), redirect: 'manual' });
		const timed = { date: '', 'retry-after': 'n', ratelimit: response.headers.get('ratelimit')?.replace(/t=\d+/, 't=n') };
		return {
			status: response.status,
			headers: { ...Object.fromEntries(response.headers), ...timed },
			body: await response.text(),
		};
	}

	test('where there is no limit', async () => {
		await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
		for (const form of Object.values(forms)) {
			const answer = await answerTo(storing.server.url, hit, form);
			expect(answer.status).toBeLessThan(400);
			expect(answer).toEqual(await answerTo(storing.server.url, lead, form));
		}
		expect(storing.states()).toContain('quarantined');
	});

	test('where the store cannot save it', async () => {
		await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
		using database = storing.database();
		database.exec('ALTER TABLE lead_entries RENAME TO elsewhere');
		const toHit = await answerTo(storing.server.url, hit, forms.program);
		expect(toHit).toEqual({ ...(await answerTo(storing.server.url, lead, forms.program)), status: 503 });
	});

	test('over the limit, and then nothing is kept of it', async () => {
		await using storing = await startStoring({ LEAD_RATE_LIMIT: '1/10m' });
		await postBody(storing.server.url, lead);
		for (const form of Object.values(forms)) {
			const answer = await answerTo(storing.server.url, hit, form);
			expect(answer.status).toBe(429);
			expect(answer).toEqual(await answerTo(storing.server.url, lead, form));
		}
		expect(storing.states()).not.toContain('quarantined');
	});
});

test('a hit waits for the disk as a lead does: what was answered is there after a kill', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, hit);
	storing.server.process.signal('SIGKILL');
	await storing.server.process.exit();
	expect(storing.states()).toContain('quarantined');
});

test('without a store a hit is answered 200, and nothing of it is kept but an id in the log', async () => {
	await using smtp = await startSmtpServer();
	await using server = await startServer({ ...smtp.settings, LEAD_STORE: 'none' });
	expect((await postBody(server.url, hit)).status).toBe(200);
	server.process.signal('SIGTERM');
	expect(await server.process.exit()).toBe(0);
	const id = expect.stringMatching(/^[\da-f-]{36}$/) as string;
	expect(server.process.log).toContainEqual(expect.objectContaining({ level: 'warn', lead: id }));
	expect(server.process.output).not.toMatch(/clinicasol/);
	expect(smtp.mails).toEqual([]);
});

test('a hit is kept and not delivered; released, it goes to the channels like any lead', async () => {
	await using backend = await startBackend();
	const delivered = () => backend.received().filter(({ type }) => type === 'lead.received');
	await backend.quarantine(hit);
	expect(delivered()).toEqual([]);
	const [held] = await backend.list('--state', 'quarantined');
	const { code, stdout } = await backend.leads('release', held!.id.slice(-8));
	expect([code, stdout]).toEqual([0, expect.stringContaining('Released to json:127.0.0.1')]);
	await backend.tryDue();
	expect(delivered()).toMatchObject([{ data: { id: held!.id, name: lead.name } }]);
	expect(delivered()[0]!.data).not.toHaveProperty('website');
	expect(await backend.list('--state', 'quarantined')).toEqual([]);
});

describe('Of what lies in quarantine and could be a lead', () => {
	const found = ({ mails }: Awaited<ReturnType<typeof startSmtpServer>>) =>
		mails.filter(({ parsed }) => parsed.subject!.includes('taken for spam'));

	test('mail tells at once, with who it is and how to release each, and chat tells the number only', async () => {
		await using smtp = await startSmtpServer();
		await using backend = await startBackend({ ...smtp.settings, LEAD_WEBHOOK_FORMAT: 'mattermost' });
		await backend.quarantine({ website: 'x', name: 'Bot' });
		await backend.quarantine(hit);
		const [{ parsed } = { parsed: undefined }] = found(smtp);
		const [, id] = /npm run leads -- release ([0-9a-f]{8})/.exec(parsed!.text!)!;
		expect(parsed!.subject).toBe(`${service.name}: 1 possible lead was taken for spam`);
		for (const word of [lead.name, lead.clinic, lead.email]) expect(parsed!.text).toContain(word);
		expect((await backend.leads('release', id!)).code).toBe(0);

		const { body } = backend.receiver.requests[0]!;
		expect(body).toContain('1 possible lead was taken for spam');
		expect(body).not.toMatch(/Ana|Sol|clinicasol|Possible lead/);
	});

	test('one notice tells, and another a day later tells of all since, with the names of twenty', async () => {
		await using smtp = await startSmtpServer();
		await using backend = await startBackend(smtp.settings);
		for (let turn = 0; turn <= 21; turn += 1) await backend.quarantine({ ...hit, name: `Ana ${turn}` });
		expect(found(smtp)).toHaveLength(1);
		using database = backend.database();
		database.exec('UPDATE lead_entries SET once_ends_at = once_ends_at - 86400000');
		await backend.quarantine({ ...hit, name: 'Eva' });
		const second = found(smtp)[1]!.parsed;
		expect(second.subject).toContain('22 possible leads were taken');
		expect(second.text!.match(/leads -- release/g)).toHaveLength(20);
		expect(backend.received()[0]).toMatchObject({ type: 'leads.quarantined', data: { id: expect.any(String), number: 1 } });
	});

	test('who was erased before the mail goes out is not in it', async () => {
		const held = Promise.withResolvers<number>();
		await using smtp = await startSmtpServer({ judge: (_, before) => (before === 0 ? held.promise : 250) });
		await using backend = await startBackend({ ...smtp.settings, LEAD_RETRY: '1s 1s' });
		const telling = backend.quarantine(hit);
		await expect.poll(() => smtp.offered.length).toBe(1);
		await backend.leads('erase', lead.email, '--yes');
		held.resolve(450);
		await telling;
		await expect.poll(() => found(smtp).length).toBe(1);
		expect(found(smtp)[0]!.raw).not.toMatch(/Ana|clinicasol/);
	});

	test('LEAD_RETENTION=0 keeps it until somebody could decide, and nothing else', async () => {
		await using backend = await startBackend({ LEAD_RETENTION: '0' });
		await backend.quarantine({ website: 'x', name: 'Bot' });
		await backend.quarantine(hit);
		await expect.poll(() => backend.list('--state', 'quarantined')).toHaveLength(1);
		expect((await backend.leads('release', (await backend.list('--state', 'quarantined'))[0]!.id)).code).toBe(0);
	});

	test('what came while there was nobody to tell is told of as soon as there is a channel', async () => {
		await using backend = await startBackend({ LEAD_WEBHOOK_URL: '' });
		await backend.quarantine(hit);
		await backend.restart({ LEAD_WEBHOOK_URL: backend.receiver.url });
		expect(backend.received()).toMatchObject([{ type: 'leads.quarantined' }]);
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

	test('a notice that cannot be saved is in the log', async () => {
		await using backend = await startBackend();
		backend.refuseNotices();
		await backend.quarantine(hit);
		expect(await backend.list()).toHaveLength(1);
		expect(backend.log).toContainEqual(expect.objectContaining({ err: expect.objectContaining({ type: 'StoreError' }) }));
	});
});

test('list --state quarantined says who each is from and what it would fail for; other lists do with --long', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.quarantine({ ...hit, name: 'Eve' });
	await keeping.quarantine({ ...hit, name: 'Bot', clinic: '', email: 'a@b.example, c@d.example' });
	const [quarantined, all, long] = [['--state', 'quarantined'], [], ['--long']].map((options) =>
		keeping.leads('list', ...options),
	);
	for (const { stdout } of [await quarantined!, await long!]) {
		expect(stdout).toMatch(/^ +Eve · Clínica Sol · ana@clinicasol\.example · could be released · It filled a field/m);
		expect(stdout).toMatch(/^ +Bot · a@b\.example, c@d\.example · no lead: clinic_required, email_invalid · It filled a field/m);
	}
	expect((await all!).stdout).not.toMatch(/Eve|Bot|@/);
	const { entries } = JSON.parse((await keeping.leads('list', '--state', 'quarantined', '--json')).stdout) as {
		entries: object[];
	};
	expect(entries).toMatchObject([
		{ name: 'Bot', faults: ['clinic_required', 'email_invalid'] },
		{ name: 'Eve', faults: [] },
	]);
});

test('what is no lead is not released, with the reason, and can still be read', async () => {
	await using keeping = await startLeadKeeping();
	const id = await keeping.quarantine({ website: 'x', name: 'Bot\u001B[2J', email: 'a@b.example, c@d.example', consent: 'on' });
	const { code, stderr } = await keeping.leads('release', id);
	expect([code, stderr]).toEqual([1, expect.stringContaining('clinic_required, email_invalid')]);
	expect((await keeping.leads('show', id)).stdout).toMatch(/^Name +Bot\[2J$/m);
	expect(await keeping.store.find(id)).toMatchObject([{ state: 'quarantined' }]);
});

test('a hit that would have been a valid lead is kept whole', () => {
	const whole = {
		name: '😀'.repeat(120),
		clinic: `${'\u0958'.repeat(160)}`,
		message: `${'e\u0301'.repeat(4990)}\n👩‍⚕️ end`,
		phone: ' 600 ',
	};
	const kept = quarantinedLead({ ...hit, ...whole, country: null, lang: 7 });
	expect(faultsOf(kept)).toEqual([]);
	expect(kept).toEqual({ ...hit, ...whole, message: whole.message.normalize('NFC'), phone: '600' });
});

test.each([
	['too long', { name: '😀'.repeat(121) }, 'name_too_long'],
	['much too long', { message: 'x'.repeat(30_000) }, 'message_too_long'],
	['much too long, and mostly of what nobody sees', { name: `a${'\u200B'.repeat(600)}b` }, 'name_too_long'],
	['without consent, though it looks so', { consent: ' on ' }, 'consent_required'],
	['in other letters', { consent: 'ON' }, 'consent_required'],
	['without a name', { name: null }, 'name_required'],
	['from an address that the form refuses', { email: 'añá@clinica.example' }, 'email_invalid'],
])('a hit that is no lead, being %s, is kept as none', (_case, fields, code) => {
	expect(faultsOf(quarantinedLead({ ...hit, ...fields }))).toEqual([code]);
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
