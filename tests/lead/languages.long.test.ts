import { describe, expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { API_ACCESS, paths } from '../../src/facts/links.ts';
import { countText } from '../../src/facts/language.ts';
import { copyIn, languages, origin, pathIn, service, wordsIn } from '../../src/facts/load.ts';
import { postLead } from '../support/post-lead.ts';
import { shared } from '../support/shared.ts';
import { type ReceivedMail, startSmtpServer } from '../support/smtp-server.ts';
import { startStoring } from '../support/lead-places.ts';
import { startServer } from '../support/server.ts';

const headerOf = ({ parsed }: ReceivedMail, key: string) => parsed.headers.find((header) => header.key === key)?.value;
const nameIn = (reader: string, tag: string) => new Intl.DisplayNames(reader, { type: 'language' }).of(tag);

describe('A visitor’s language', () => {
	const smtp = shared(() => startSmtpServer());
	const storing = shared(() => startStoring({ ...smtp().settings, LEAD_EMAIL_CONFIRM: 'on', LEAD_RATE_LIMIT: 'off' }));
	const mailTo = async (address: string, from = '') => {
		const found = () =>
			smtp().mails.find(({ to, parsed }) => to.includes(address) && JSON.stringify(parsed.replyTo).includes(from));
		await expect.poll(found).toBeDefined();
		return found()!;
	};

	test('goes with the lead: into consent, confirmation and the team’s mail', async () => {
		const addressIn = (lang: string) => `ana@${lang.toLowerCase()}-clinic.example`;
		for (const lang of languages) {
			await postLead(storing().server.url, { lang, source: pathIn(lang, paths.contact), email: addressIn(lang) });
			const confirmation = await mailTo(addressIn(lang));
			expect(confirmation.parsed.subject).toBe(copyIn(lang).confirmation.subject);
			expect(headerOf(confirmation, 'content-language')).toBe(lang);
			const { text } = confirmation.parsed;
			expect(text).toContain(` ${countText(copyIn(lang).next.answer, service.answerWorkingDays!, lang)}\n\n`);
			for (const path of [paths.contact, paths.privacy]) expect(text).toContain(origin + pathIn(lang, path));
			expect(text).not.toMatch(/[{}]|\n{3}/);
			const { parsed } = await mailTo('sales@website.test', addressIn(lang));
			expect(parsed.text).toContain(`\nLanguage: ${nameIn('en', lang)} (${lang})\n`);
		}
		const lines = (await storing().leads('export')).stdout.trim().split('\n');
		const kept = lines.map((line) => JSON.parse(line) as Record<string, string>);
		const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
		const evidence = { noticeVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string, receivedAt: time };
		for (const lang of languages) {
			const consentWording = copyIn(lang).fields['consent']!.label;
			expect(kept.find(({ email }) => email === addressIn(lang))).toMatchObject({
				lang,
				source: pathIn(lang, paths.contact),
				consentWording,
				consent: 'on',
				...evidence,
			});
		}
	});

	test('is looked up, and kept as it came', async () => {
		const lang = `${languages.at(-1)}-x-HOME`;
		await postLead(storing().server.url, { lang, email: 'looked-up@clinic.example' });
		const { parsed } = await mailTo('looked-up@clinic.example');
		expect(parsed.subject).toBe(copyIn(languages.at(-1)!).confirmation.subject);
		expect((await storing().leads('export')).stdout).toContain(lang);
	});

	test.each(['x-clinic', 'no tag', '../../en', 'ana'])('that nobody knows stands in the mail as it is: %s', async (lang) => {
		const email = `${Buffer.from(lang).toString('hex')}@clinic.example`;
		await postLead(storing().server.url, { lang, email });
		expect((await mailTo('sales@website.test', email)).parsed.text).toContain(`\nLanguage: ${lang}\n`);
	});
});

test('A sales team gets leads in the words of its language, and the visitor’s language by its name there', async () => {
	const [language, visitor] = ['ar', 'pt'];
	const { fieldNames, team } = wordsIn(language);
	await using smtp = await startSmtpServer();
	await using server = await startServer({ ...smtp.settings, LEAD_LANGUAGE: 'AR', LEAD_STORE: 'none' });
	await postLead(server.url, { lang: visitor, country: 'Spain', message: 'one\ntwo' });
	await postLead(server.url, { source: API_ACCESS, clinic: 'Other' });
	const [mail, request] = smtp.mails;
	const labels = new Set(leadFields.map(({ name }) => fieldNames[name]));
	const rows = [...mail!.parsed.html!.matchAll(/<th[^>]*>([^<]+)<\/th>/g)].map(([, label]) => label);
	expect(rows.slice(0, -1).filter((label) => !labels.has(label))).toEqual([]);
	expect(rows.at(-1)).toBe(team.received);
	expect(mail!.parsed.text).toContain(`${fieldNames['lang']}: ${nameIn(language, visitor)} (${visitor})`);
	expect(mail!.parsed.subject).toBe(team.lead.replace('{who}', 'Ana Ruiz, Clínica Sol, Spain'));
	expect(headerOf(mail!, 'content-language')).toBe(language);
	expect(mail!.parsed.html).toContain('<html lang="ar" dir="rtl">');
	expect(request!.parsed.subject).toBe(team.accessRequest.replace('{who}', 'Ana Ruiz, Other'));
});

test('A language of the sales team that is not there stops the start, with those that are', async () => {
	await expect(startServer({ LEAD_LANGUAGE: 'x-nothing' })).rejects.toThrow(
		`LEAD_LANGUAGE must be ${languages.join(' or ')}, for example ${languages[0]}.`,
	);
});
