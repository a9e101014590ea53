import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { faultsOf, trimHit } from '../../src/api/honeypot.ts';
import { service, wordsIn } from '../../src/facts/load.ts';
import { startBackend, startLeadKeeping, startMailing, startStoring } from '../support/lead-places.ts';
import { form, hit, json, lead, type LeadValues, newLead, postBody, withoutReference } from '../support/post-lead.ts';

/** Returns an answer without the parts that depend on the time. */
async function answerTo(url: string, request: RequestInit) {
	const response = await fetch(`${url}/api/contact`, { redirect: 'manual', ...request });
	const timed = { date: '', 'retry-after': 'n', ratelimit: response.headers.get('ratelimit')?.replace(/t=\d+/, 't=n') };
	const headers = { ...Object.fromEntries(response.headers), ...timed };
	return { status: response.status, headers, body: withoutReference(await response.text()) };
}

test.each([
	['where there is no limit', 'off', [200, 303], true],
	['over the limit, and then nothing is kept of it', '1/10m', [429, 429], false],
])('a hit is answered like a lead, whatever else it holds, %s', async (_, LEAD_RATE_LIMIT, statuses, isKept) => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT });
	const { url, process } = storing.server;
	await postBody(url, lead);
	const asPage = (fields: LeadValues) => form(fields, { accept: 'text/html' });
	const answer = await answerTo(url, json({ name: '', phone: 7, website: ' ' }));
	expect(answer).toEqual(await answerTo(url, json(newLead())));
	const page = await answerTo(url, asPage(hit));
	expect(page).toEqual(await answerTo(url, asPage(newLead())));
	expect([answer.status, page.status]).toEqual(statuses);
	// A hit waits for the disk as a lead does.
	await process.stop('SIGKILL');
	expect((await storing.list('--state', 'quarantined')).length > 0).toBe(isKept);
});

test('without a store a hit is answered 200, as late as the lead before it, and nothing of it is kept', async () => {
	await using storing = await startStoring({ LEAD_STORE: 'none' }, () => ({ until: wait(500) }));
	for (const body of [newLead(), hit]) {
		const start = performance.now();
		expect((await postBody(storing.server.url, body)).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThan(490);
	}
	expect(storing.receiver.requests).toHaveLength(1);
	expect(storing.server.process.output).not.toMatch(/clinicasol/);
});

test('a hit that would have been a valid lead is kept whole and not delivered; released, it goes to the channels like any', async () => {
	const whole = { name: '😀'.repeat(120), clinic: '\u0958'.repeat(160), message: `${'e\u0301'.repeat(4990)}\n👩‍⚕️ end` };
	await using backend = await startBackend();
	const delivered = () => backend.received().filter(({ type }) => type === 'lead.received');
	await backend.quarantine({ ...hit, ...whole, phone: ' 600 ', country: null, lang: 7 });
	expect(delivered()).toEqual([]);
	const [held] = await backend.list('--state', 'quarantined');
	const { code, stdout } = await backend.leads('release', held!.id.slice(-8));
	expect([code, stdout]).toEqual([0, expect.stringContaining('Released to json:127.0.0.1')]);
	await backend.tryDue();
	const kept = { ...lead, ...whole, message: whole.message.normalize('NFC'), phone: '600' };
	expect(delivered()).toMatchObject([{ data: { id: held!.id, ...kept } }]);
	for (const name of ['website', 'country', 'lang']) expect(delivered()[0]!.data[name] ?? '').toBe('');
	expect(await backend.list('--state', 'quarantined')).toEqual([]);
});

describe('Of what lies in quarantine and could be a lead', () => {
	const found = ({ smtp }: Awaited<ReturnType<typeof startMailing>>) =>
		smtp.mails.filter(({ parsed }) => parsed.subject!.includes('held back as spam'));

	test('mail tells at once, with who it is and how to release each, and half an hour later of all since; so does chat, of five', async () => {
		await using backend = await startMailing({ LEAD_WEBHOOK_FORMAT: 'mattermost' });
		const message = `We miss\n\nten calls. ${'x'.repeat(300)}`;
		await backend.quarantine({ website: 'x', name: 'Bot' });
		for (let turn = 0; turn <= 21; turn += 1) await backend.quarantine({ ...hit, name: `Ana ${turn}`, message });
		expect(found(backend)).toHaveLength(1);
		const { subject, text } = found(backend)[0]!.parsed;
		expect(subject).toBe(`${service.name}: 1 possible lead is held back as spam`);
		const written = `Message: We miss ten calls. ${'x'.repeat(300 - 'We miss ten calls. …'.length)}…\n`;
		for (const word of ['Ana 0', lead.clinic, lead.email, written]) expect(text).toContain(word);
		const [, id] = /\/lead\/not-spam\?id=([\w-]+)/.exec(text!)!;
		expect((await backend.leads('release', id!)).code).toBe(0);
		const { body } = backend.receiver.requests[0]!;
		for (const word of ['1 possible lead is held back as spam', 'Ana 0', 'We miss ten calls', `/lead/not-spam?id=${id}`])
			expect(body).toContain(word);

		using database = backend.database();
		database.exec('UPDATE lead_entries SET once_ends_at = once_ends_at - 1800000');
		await backend.quarantine({ ...hit, name: 'Eva' });
		const second = found(backend)[1]!.parsed;
		expect(second.subject).toContain('22 possible leads are');
		// With the names of twenty.
		expect(second.text!.match(/\/lead\/not-spam/g)).toHaveLength(20);
		await expect.poll(() => backend.receiver.requests.at(-1)!.body.match(/\/lead\/not-spam/g)?.length).toBe(5);
	});

	test('who was erased before the mail goes out is not in it', async () => {
		const held = Promise.withResolvers<number>();
		const judge = (_: unknown, before: number) => (before === 0 ? held.promise : 250);
		await using backend = await startMailing({ LEAD_RETRY: '1s 1s' }, { judge });
		const telling = backend.quarantine(hit);
		await expect.poll(() => backend.smtp.offered.length).toBe(1);
		await backend.leads('erase', lead.email, '--yes');
		held.resolve(450);
		await telling;
		await expect.poll(() => found(backend).length).toBe(1);
		expect(found(backend)[0]!.raw).not.toMatch(/Ana|clinicasol/);
	});

	test('LEAD_RETENTION=0 keeps it until somebody could decide, and nothing else', async () => {
		await using backend = await startBackend({ LEAD_RETENTION: '0' });
		await backend.quarantine({ website: 'x', name: 'Bot' });
		await backend.quarantine(hit);
		await expect.poll(() => backend.list('--state', 'quarantined')).toHaveLength(1);
		const [held] = await backend.list('--state', 'quarantined');
		expect((await backend.leads('release', held!.id)).code).toBe(0);
	});

	test('what came while there was nobody to tell is told of as soon as there is a channel', async () => {
		await using backend = await startBackend({ LEAD_WEBHOOK_URL: '' });
		await backend.quarantine(hit);
		await backend.restart({ LEAD_WEBHOOK_URL: backend.receiver.url });
		expect(backend.received()).toMatchObject([{ type: 'leads.quarantined', data: { id: expect.any(String), number: 1 } }]);
	});
});

test('list --state quarantined says who each is from and what it would fail for, which is not released; other lists do with --long', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.quarantine({ ...hit, name: 'Eve' });
	const bot = await keeping.quarantine({ ...hit, name: 'Bot', clinic: '', email: 'a@b.example, c@d.example' });
	for (const options of [['--state', 'quarantined'], ['--long']]) {
		const { stdout } = await keeping.leads('list', ...options);
		expect(stdout).toMatch(/^ +Eve · Clínica Sol · ana@clinicasol\.example · could be released · /m);
		expect(stdout).toMatch(/^ +Bot · a@b\.example, c@d\.example · no lead: clinic_required, email_invalid · /m);
		expect(stdout.split(` · ${wordsIn('en').spamReasons.honeypot}`)).toHaveLength(3);
	}
	expect((await keeping.leads('list')).stdout).not.toMatch(/Eve|Bot|@/);
	const { code, stderr } = await keeping.leads('release', bot);
	expect([code, stderr]).toEqual([1, expect.stringContaining('clinic_required, email_invalid')]);
	expect(await keeping.store.find(bot)).toMatchObject([{ state: 'quarantined' }]);
});

test.each<[fields: Record<string, unknown>, code: string]>([
	[{ name: '😀'.repeat(121) }, 'name_too_long'],
	[{ message: 'x'.repeat(30_000) }, 'message_too_long'],
	// Long before it is cleaned, and short after it.
	[{ name: `a${'\u200B'.repeat(600)}b` }, 'name_too_long'],
	[{ consent: ' on ' }, 'consent_required'],
	[{ consent: 'ON', name: 'Bob' }, 'consent_required'],
	[{ name: null }, 'name_required'],
	[{ email: 'añá@clinica.example' }, 'email_invalid'],
])('a hit that is no lead is kept as none: %o', (fields, code) => {
	expect(faultsOf(trimHit({ ...hit, ...fields }))).toEqual([code]);
});

test('of a hit only fields of a lead are kept that are text, cleaned as in a lead; what is too long is cut, and stays too long', () => {
	const long = { clinic: '😀'.repeat(4000), message: 'x'.repeat(9000), country: `${'😀'.repeat(78)}👩\u200D⚕️` };
	const [clinic, message, country] = [`${'😀'.repeat(160)}…`, `${'x'.repeat(5000)}…`, `${'😀'.repeat(78)}👩……`];
	const kept = trimHit({ ...long, name: ' Ana\nRuiz\u0007 ', phone: 5, other: 'gone', website: 'x' });
	expect(kept).toEqual({ name: 'Ana Ruiz', clinic, message, country, website: 'x' });
});
