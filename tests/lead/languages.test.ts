import { expect, test } from 'vitest';
import { countText, fillWords, isRightToLeft } from '../../src/facts/language.ts';
import { API_ACCESS, paths } from '../../src/facts/links.ts';
import { copyIn, languages, origin, pathIn, service, wordsIn } from '../../src/facts/load.ts';
import { referenceOf } from '../../src/channels/message.ts';
import { leadFields } from '../../src/lead/lead.ts';
import { startMailing } from '../support/lead-places.ts';
import type { ReceivedMail } from '../support/smtp-server.ts';

const headerOf = ({ parsed }: ReceivedMail, key: string) => parsed.headers.find((header) => header.key === key)?.value;
const nameIn = (reader: string, tag: string) => new Intl.DisplayNames(reader, { type: 'language' }).of(tag);

test('A visitor’s language is looked up, and goes with the lead: into consent, confirmation and the team’s mail', async () => {
	await using backend = await startMailing({ LEAD_AUTOREPLY: 'on' });
	const ofPrivateUse = [`${languages.at(-1)}-x-HOME`, languages.at(-1)!] as const;
	for (const [lang, language] of [...languages.map((each) => [each, each] as const), ofPrivateUse]) {
		const email = `ana@${lang.toLowerCase()}-clinic.example`;
		const source = pathIn(language, paths.contact);
		await backend.take({ lang, source, email });
		const mailTo = (address: string) => backend.smtp.mails.findLast(({ to }) => to.includes(address))!;
		const copy = copyIn(language);
		const confirmation = mailTo(email);
		const id = headerOf(mailTo('sales@website.test'), 'x-entry-id')!;
		expect(confirmation.parsed.subject).toBe(fillWords(copy.confirmation.subject, { reference: referenceOf(id) }));
		expect(headerOf(confirmation, 'content-language')).toBe(language);
		const { text } = confirmation.parsed;
		expect(text).toContain(` ${countText(copy.next.answer, service.answerWorkingDays!, language)}\n\n`);
		for (const path of [paths.contact, paths.privacy]) expect(text).toContain(origin + pathIn(language, path));
		expect(text).not.toMatch(/[{}]|\n{3}/);
		// Thunderbird and Roundcube show plain text from the left.
		const marked = text!.match(/^.+$/gm)!.map((line) => line.startsWith('\u202B'));
		expect(new Set(marked)).toEqual(new Set([isRightToLeft(language)]));
		const label = lang === language ? `${nameIn('en', lang)} (${lang})` : lang;
		expect(mailTo('sales@website.test').parsed.text).toContain(`\nLanguage: ${label}\n`);
		const lines = (await backend.leads('export')).stdout.trim().split('\n');
		const kept = lines.map((line) => JSON.parse(line) as Record<string, string>).find((lead) => lead['email'] === email);
		expect(kept).toMatchObject({ lang, source, consent: 'on', consentWording: copy.fields['consent']!.label });
		expect(kept!['noticeVersion']).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(kept!['receivedAt']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
	}
});

test('A sales team gets leads in the words of its language, and the visitor’s language by its name there', async () => {
	const [language, visitor] = ['ar', 'pt'];
	const { fieldNames, team } = wordsIn(language);
	await using backend = await startMailing({ LEAD_LANGUAGE: 'AR', LEAD_STORE: 'none' });
	await backend.take({ lang: visitor, country: 'Spain', message: 'one\ntwo' });
	await backend.take({ source: API_ACCESS, clinic: 'Other' });
	const [mail, request] = backend.smtp.mails;
	const labels = new Set(leadFields.map(({ name }) => fieldNames[name]));
	const rows = [...mail!.parsed.html!.matchAll(/<th[^>]*>([^<]+)<\/th>/g)].map(([, label]) => label);
	expect(rows.filter((label) => !labels.has(label))).toEqual([team.reference, team.received]);
	expect(mail!.parsed.text).toContain(`${fieldNames['lang']}: \u2068${nameIn(language, visitor)} (${visitor})\u2069`);
	expect(mail!.parsed.subject).toBe(team.lead.replace('{who}', 'Ana Ruiz, Clínica Sol, Spain'));
	expect(headerOf(mail!, 'content-language')).toBe(language);
	// Roundcube leaves out the attributes of <html> and <body>.
	expect(mail!.parsed.html).toMatch(/<html lang="ar">[^]*<div dir="rtl"[^>]*>\n<p/);
	expect(request!.parsed.subject).toBe(team.accessRequest.replace('{who}', 'Ana Ruiz, Other'));
});
