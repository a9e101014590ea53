import { expect, onTestFinished, test, vi } from 'vitest';
import { entryMessage } from '../../src/channels/entry.ts';
import { idPartOf, messageOf, referenceOf } from '../../src/channels/message.ts';
import { noticeMessage } from '../../src/channels/notice.ts';
import { countText, fillWords } from '../../src/facts/language.ts';
import { actionLinkIn } from '../../src/lead/action.ts';
import { truncate } from '../../src/lead/text.ts';
import { service, wordsIn } from '../../src/facts/load.ts';
import type { LeadStore } from '../../src/store/store.ts';
import { linkSecret, messageWith, receivedLead, team } from '../support/lead.ts';
import { testWhereIssued } from '../support/api-key.ts';

test('A message begins with what the visitor wrote, and ends with how it came', () => {
	const { subject, rows, text } = messageWith({ phone: '', country: '' });
	expect(subject).toBe(`${service.name} lead: Ana Ruiz, Clínica Sol`);
	expect(text).toMatch(/^Message:\n {2}We miss[^]*\n\nName: [^]*\n\nLanguage: /);
	expect(rows.map(({ label, value }) => `${label}: ${value}`)).toEqual([
		'Message: We miss about ten calls a day.\n\nCan you take them?',
		'Name: Ana Ruiz',
		'Clinic: Clínica Sol',
		'Email: ana@clinicasol.example',
		'Language: Spanish (es)',
		'Source: /contact',
		'Consent: Agreed to the privacy notice of 2026-11-01',
		`Reference: ${referenceOf(receivedLead().id)}`,
		expect.stringMatching(/^Received: November 21, 2026 .* UTC$/),
	]);
});

test('A message shows the value of a field that no longer exists, by its name, and no field that is empty', () => {
	const received = receivedLead();
	const lead = Object.assign(received.lead, { phone: '', fax: '+34 600', notes: '', telex: undefined });
	const { rows } = messageOf({ ...received, lead }, team);
	const fax = { name: 'fax', label: 'fax', value: '+34 600', freeText: true };
	expect(rows.filter(({ name }) => /phone|fax|notes|telex/.test(name ?? ''))).toEqual([fax]);
	expect(rows.filter(({ freeText }) => freeText).map(({ name }) => name)).toEqual(['message', 'fax']);
});

test.each([
	['en', 'UTC', 'November 21, 2026 at 9:30 AM UTC'],
	['en', 'Pacific/Kiritimati', 'November 21, 2026 at 11:30 PM GMT+14'],
	['de', 'Europe/Berlin', '21. November 2026 um 10:30 MEZ'],
])('A message tells a team the time as %s writes it in the time zone %s', (language, timeZone, shown) => {
	// Its last space is a narrow one in some versions.
	const plain = (text = '') => text.replace(/\s/g, ' ');
	const { rows } = messageOf(receivedLead(), { ...team, language, timeZone });
	expect(plain(rows.at(-1)?.value)).toBe(shown);
	const notice = { id: '1', receivedAt: '2026-11-21T09:30:00.000Z', channel: 'email', reason: '', parked: false };
	const since = language === 'en' ? shown : 'November 21, 2026 at 10:30 AM GMT+1';
	expect(plain(noticeMessage(notice, { ...team, language, timeZone }).text)).toContain(`Since: ${since}`);
});

test.each([
	['ana@clinica.example', 'ana@clinica.example'],
	['ana@Clinica.Example', 'ana@Clinica.Example'],
	['ana@clínica.example', 'ana@clínica.example (xn--clnica-4va.example)', 'ana@xn--clnica-4va.example'],
	['ana@xn--clnica-4va.example', 'ana@clínica.example (xn--clnica-4va.example)'],
	['ana@gооgle.com', 'ana@gооgle.com (xn--ggle-55da.com)', 'ana@xn--ggle-55da.com'],
	['ana@xn--a.example', 'ana@xn--a.example'],
])('A message shows the address %s as %s', (email, shown, answered = email) => {
	const message = messageWith({ email });
	expect(message.rows.find(({ name }) => name === 'email')?.value).toBe(shown);
	expect(message.lead?.email).toBe(answered);
});

test.each(['x-clinic', 'no tag', '../../en', 'ana'])('A message shows an unknown language as it is: %s', (lang) => {
	expect(messageWith({ lang }).rows.find(({ name }) => name === 'lang')?.value).toBe(lang);
});

testWhereIssued(
	'A request for API access says so in its subject, however long the names are, and how to issue the key',
	async () => {
		const request = (fields = {}) => messageWith({ source: 'api-access', ...fields });
		expect(request().subject).toBe(`${service.name}: Ana Ruiz, Clínica Sol, Spain asks for API access`);
		const { subject } = request({ name: 'n'.repeat(120) });
		expect([subject.length, subject.slice(-23)]).toEqual([120, 'nn… asks for API access']);
		const payload = JSON.stringify(receivedLead({ source: 'api-access' }));
		const keptFor = async (time: number) => (await entryMessage({ kind: 'lead', payload }, {} as LeadStore, team, time)).text;
		expect(await keptFor(Infinity)).toContain(': npm run keys -- issue --for 7HX1-PB1X\n');
		// Nobody could find it in the store.
		for (const { text } of [request(), { text: await keptFor(0) }])
			expect(text).toContain(': npm run keys -- issue --name NAME --email EMAIL\n');
		expect(messageWith({ source: 'api-access-not' }).text).not.toContain('keys');
	},
);

test.each([
	['7f52352556', 'FX93-A9AP', 'fx93-a9ap', 'FX93A9AP'],
	['0000000000', '0000-0000', 'oooo-OOOO'],
	['ffffffffff', 'ZZZZ-ZZZZ', 'zzzz-zzzz'],
	['0000000001', '0000-0001', '000o-oool'],
	['0842108421', '1111-1111', 'llll-IIII'],
])('The random end %s of an id is %s, in every way that people write it', (end, reference, ...others) => {
	expect(referenceOf(receivedLead().id.slice(0, -10) + end)).toBe(reference);
	for (const written of [reference, ...others]) expect(idPartOf(written)).toBe(end);
});

const parts = ['52352556', 'DEADBEEF', receivedLead().id, '01a22369-46ee', '', '7Q4F-K2MU', '7Q4-FK2M9'];
test.each(parts)('%j is a part of an id as it is', (part) => {
	expect(idPartOf(part)).toBe(part.toLowerCase());
});

test.each([
	['abc', 3, 'abc'],
	['abcd', 3, 'ab…'],
	['👩‍⚕️👩‍⚕️👩‍⚕️', 11, '👩‍⚕️👩‍⚕️…'],
	['ae\u0301i', 3, 'a…'],
])('Of %j at most %i code units are %j', (text, max, cut) => {
	expect(truncate(text, max)).toBe(cut);
});

test('The links of a lead that waited or was held for a month work when it is sent', () => {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(receivedLead().receivedAt) + 31 * 86_400_000 });
	onTestFinished(() => void vi.useRealTimers());
	const [taken] = messageOf(receivedLead(), { ...team, linkSecret }).actions!;
	expect(actionLinkIn(taken!.url, linkSecret)).toMatchObject({ action: 'taken' });
});

test('A reminder says in the words of the team what waits, how much more there is, and on Mondays how long leads waited', () => {
	const { id, receivedAt } = receivedLead();
	const { reminder, spamReasons } = wordsIn('de');
	// From half of a unit on a time is rounded up.
	const lastWeek = { leads: 3, medianSeconds: 5400, longestSeconds: 1.5 * 86_400 - 1 };
	const notice = { id, receivedAt: '2026-11-23T09:30:00.000Z', unanswered: [id], more: 2, lastWeek };
	const lead = { id, payload: JSON.stringify(receivedLead()), spam: { verdict: 'marked' as const, signals: ['links' as const] } };
	const { language, subject, rows } = noticeMessage(notice, { ...team, language: 'de' }, [lead]);
	expect([language, subject]).toEqual(['de', `${service.name}: Um 3 Anfragen kümmert sich noch niemand`]);
	const said = ['Ana Ruiz\n', 'Clínica Sol\n', '@', '\\+34', `${spamReasons.links}\n`, '2 Tage$'].join('[^]*');
	expect(rows.map(({ label, value }) => `${label}: ${value}`)).toEqual([
		expect.stringMatching(new RegExp(`^1\\. ${referenceOf(id)}: [^]*${said}`)),
		'Nachricht: We miss about ten calls a day. Can you take them?',
		'Weitere Anfragen: 2',
		`${reminder.answered}: ${reminder.press}`,
		'Letzte 7 Tage: 3 übernommen. Die Hälfte wartete höchstens 2 Stunden, die letzte 1 Tag',
	]);
	expect(Date.parse(notice.receivedAt) - Date.parse(receivedAt)).toBe(2 * 86_400_000);
	expect(noticeMessage({ ...notice, more: 0, lastWeek: undefined }, team, [lead]).rows).toHaveLength(3);
	expect(noticeMessage({ id, receivedAt, number: 1, lastWeek }, { ...team, language: 'de' }).rows.at(-1)).toEqual(rows.at(-1));
});

test('A notice of what lies in quarantine is in the words of the team, and names no link where there are none', () => {
	const { id, receivedAt } = receivedLead();
	const spam = { verdict: 'held' as const, signals: ['repeated' as const] };
	const lead = { id, payload: JSON.stringify(receivedLead()), spam };
	const told = (links = {}) => noticeMessage({ id, receivedAt, number: 1 }, { ...team, language: 'es', ...links }, [lead]);
	const { quarantine, actions, spamReasons } = wordsIn('es');
	const { language, subject, text } = told({ linkSecret });
	expect([language, subject]).toEqual(['es', `${service.name}: ${countText(quarantine.title, 1, 'es')}`]);
	for (const part of [`«${actions['not-spam']}»`, spamReasons.repeated, 'Mensaje: We miss', `  ${actions.spam}: http`])
		expect(text).toContain(part);
	expect(told().text).not.toContain('«');
	expect(told().text).toContain(`${actions['not-spam']}: `);
});

test('The notice of a mail that came back is in the words of the team, and says whom to call', () => {
	const { id, receivedAt } = receivedLead();
	const told = (fields?: Parameters<typeof receivedLead>[0]) => {
		const leads = fields ? [{ id, payload: JSON.stringify(receivedLead(fields)) }] : [];
		return noticeMessage({ id, receivedAt, returned: id, status: '5.1.1' }, { ...team, language: 'es' }, leads);
	};
	const { returned, noMail, noMailCall } = wordsIn('es').team;
	const { language, subject, text } = told({ phone: '+34 600 11 22 33' });
	expect([language, subject]).toEqual(['es', `${service.name}: ${fillWords(returned, { who: 'Ana Ruiz' })}`]);
	const domain = 'ana@clinicasol.example (5.1.1)';
	expect(text).toContain(fillWords(noMailCall, { domain, phone: '+34 600 11 22 33' }));
	expect(told({ phone: '' }).text).toContain(fillWords(noMail, { domain }));
	// Some write it there.
	expect(told({ phone: '', message: 'My phone: 600' }).text).toContain('Mensaje: My phone: 600');
	expect(told().subject).toContain(referenceOf(id));
});
