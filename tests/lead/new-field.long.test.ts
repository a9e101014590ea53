import { AxeBuilder } from '@axe-core/playwright';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FileSystemConfigLoader, formatterFactory, HtmlValidate } from 'html-validate';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { chromiumPath } from '../support/chromium.ts';
import { leadOf, postBody } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { startBuilt } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** The lines that somebody writes to add a field of each kind. */
const entries = `
	vat_number: field.text({ label: 'VAT number', description: 'For the invoice.', example: 'ES1', maxLength: 20 }),
	notes: field.text({ kind: 'textarea', label: 'Notes', description: 'Whatever else.', example: 'None', maxLength: 900 }),
	team_size: field.choice({
		kind: 'select',
		label: 'Team size',
		description: 'How many work there.',
		options: { small: 'One to five', large: 'Six and more' },
	}),
	calls: field.choice({
		kind: 'radios',
		label: 'Most calls',
		description: 'When most calls come.',
		required: true,
		options: { am: 'In the morning', pm: 'After noon' },
	}),
	balance: field.number({ label: 'Balance', description: 'Lines too many or too few.', min: -9, max: 500, example: 12 }),
	newsletter: field.checkbox({ label: 'Newsletter', description: 'Wants news.' }),
`;
const ofMore = { vat_number: 'ES1', notes: 'One.\nTwo.', team_size: 'large', calls: 'pm', balance: -2, newsletter: 'on' };

/** The words of one language for them. */
const dutch = `
  vat_number: { label: Btw-nummer }
  notes: { label: Opmerkingen }
  team_size: { label: Teamgrootte, options: { small: Een tot vijf, large: Zes en meer } }
  calls: { label: De meeste oproepen, options: { am: ’s Ochtends, pm: ’s Middags } }
  balance: { label: Saldo }
  newsletter: { label: Nieuwsbrief }
`;
const names = `
  vat_number: Btw
  notes: Opmerkingen
  team_size: Team
  calls: Oproepen
  balance: Saldo
  newsletter: Nieuwsbrief
`;

let copy: Awaited<ReturnType<typeof copyOfProject>>;
/** The output of a build while the other language lacks the words. */
let untranslated: string;
beforeAll(async () => {
	copy = await copyOfProject();
	await copy.edit('src/lead/lead.ts', '\twebsite: field', `${entries}\twebsite: field`);
	await copy.addLanguage('nl');
	untranslated = (await copy.build()).output;
	await copy.edit('content/nl/contact.yaml', '\nfields:\n', `\nfields:${dutch}`);
	await copy.edit('content/nl/site.yaml', '\nfieldNames:\n', `\nfieldNames:${names}`);
	await copy.buildWhole();
});
afterAll(() => copy[Symbol.asyncDispose]());

/** The builds with and without the fields. */
const builds = { more: () => copy.at('var/test/dist'), plain: () => 'var/test/dist' };

const start = (build: keyof typeof builds, env: Record<string, string> = {}) =>
	startBuilt(builds[build](), { LEAD_RATE_LIMIT: 'off', ...env });

async function leads(build: keyof typeof builds, env: Record<string, string>, ...args: string[]): Promise<string> {
	await using command = new TestProcess([`${builds[build]()}/server/leads.mjs`, ...args], { env });
	await command.exit();
	return command.output;
}

describe('a field of each kind, added by one entry each, is', () => {
	test('on the page, in each language', async () => {
		const page = await copy.built('contact.html');
		expect(page).toMatch(/<label for="vat_number">VAT number<span class="optional"> \(optional\)/);
		expect(page).toMatch(/<select id="team_size".*?<option value="">Please choose<\/option><option value="small">One to five</);
		expect(page).toMatch(/<fieldset [^>]*id="calls".*?<legend>Most calls<.*?type="radio" id="calls-am" name="calls" value="am"/);
		expect(page).toMatch(/<input type="text" id="balance" [^>]*inputmode="numeric"/);
		expect(page).toMatch(/<input type="checkbox" id="newsletter" .*?<label for="newsletter">Newsletter</);
		expect(await copy.built('nl/contact.html')).toMatch(/Teamgrootte[^]*Een tot vijf[^]*’s Middags/);
	});

	test('named, with all that another language must say of it', () => {
		expect(
			[...untranslated.matchAll(/content\/nl\/\w+\.yaml:\d+ (\S+): found nothing, wanted .* English (.*)\./g)].map(
				([, place, words]) => `${place} ${words}`,
			),
		).toEqual([
			'fields.vat_number.label “VAT number”',
			'fields.notes.label “Notes”',
			'fields.team_size.label “Team size”',
			'fields.team_size.options.small “One to five”',
			'fields.team_size.options.large “Six and more”',
			'fields.calls.label “Most calls”',
			'fields.calls.options.am “In the morning”',
			'fields.calls.options.pm “After noon”',
			'fields.balance.label “Balance”',
			'fields.newsletter.label “Newsletter”',
			'fieldNames.vat_number “VAT number”',
			'fieldNames.notes “Notes”',
			'fieldNames.team_size “Team size”',
			'fieldNames.calls “Most calls”',
			'fieldNames.balance “Balance”',
			'fieldNames.newsletter “Newsletter”',
		]);
	});

	test('in the Markdown of the page', async () => {
		const page = await copy.built('contact.md');
		for (const line of [
			'**VAT number (optional)**: `vat_number`, at most 20 characters.',
			'**Team size (optional)**: `team_size`, one of `small` (One to five), `large` (Six and more).',
			'**Most calls**: `calls`, required, one of `am` (In the morning), `pm` (After noon).',
			'**Balance (optional)**: `balance`, a whole number from -9 to 500.',
			'**Newsletter**: `newsletter`, with the value "on".',
		])
			expect(page).toContain(line);
	});

	test('in the privacy notice, in the documentation and in the API reference', async () => {
		for (const label of ['VAT number', 'Team size', 'Balance', 'Newsletter'])
			expect(await copy.built('privacy.md')).toContain(`- ${label} (if you gave it)`);
		expect(await copy.built('docs/send-a-lead.md')).toContain('`consent` and `calls` are required');
		const reference = await copy.built('docs/api.md');
		expect(reference).toMatch(
			/`team_size` optional +\| string, one of `"small"`, `"large"` +\| How many work there\. `small`: One/,
		);
		expect(reference).toMatch(/`balance` optional +\| integer, -9 to 500/);
		expect(reference).toMatch(/"calls": "am"/);
	});

	test('checked as it is published, with errors that say what is wanted', async () => {
		const accepted = new Ajv2020({ strict: false, validateFormats: false }).compile(await published());
		await using server = await start('more');
		for (const [field, value, detail] of [
			['vat_number', 'x'.repeat(21), 'too_long `vat_number` may have at most 20 characters.'],
			['team_size', 'Large', 'unknown `team_size` must be one of these: small (One to five), large (Six and more).'],
			['team_size', 7, 'unknown `team_size` must be one of these: small (One to five), large (Six and more).'],
			['calls', 'never', 'unknown `calls` must be one of these: am (In the morning), pm (After noon).'],
			['calls', undefined, 'required `calls` is required, and must not be empty.'],
			['balance', 501, 'out_of_range `balance` must be a whole number from -9 to 500.'],
			['balance', 1.5, 'out_of_range `balance` must be a whole number from -9 to 500.'],
			['balance', 'many', 'out_of_range `balance` must be a whole number from -9 to 500.'],
			['newsletter', true, 'not_on `newsletter` must be `on`, or be left out.'],
		] as const) {
			const lead = { ...leadOf(), calls: 'am', [field]: value };
			const { errors } = (await (await postBody(server.url, lead)).json()) as { errors: object[] };
			const [fault, words] = [detail.split(' ', 1)[0]!, detail.replace(/^\S+ /, '')];
			expect(errors).toEqual([{ pointer: `#/${field}`, code: `${field}_${fault}`, detail: words }]);
			expect(accepted(lead)).toBe(false);
			expect((await errorSchema()).description).toContain(`\`${field}_${fault}\``);
		}
		for (const fields of [ofMore, { calls: 'am', balance: 0 }, { calls: 'am', balance: -9 }, { calls: 'pm', balance: 500 }]) {
			expect(accepted({ ...leadOf(), ...fields })).toBe(true);
			// 503, because delivery is not configured.
			expect((await postBody(server.url, { ...leadOf(), ...fields })).status).toBe(503);
		}
		for (const fields of [{ team_size: '', balance: '', newsletter: '' }, { team_size: null, balance: null }, { balance: ' 12' }])
			expect((await postBody(server.url, { ...leadOf(), calls: 'am', ...fields })).status).toBe(503);
	});

	test('taken, logged and delivered as the tests of that want it, which know of none', async () => {
		const tests = ['tests/http/drawn-leads.long.test.ts', 'tests/http/log.test.ts', 'tests/lead/channels/channel.test.ts'];
		const { code, output } = await copy.test(tests);
		expect(code, output).toBe(0);
	});

	test('delivered, shown and exported', async () => {
		await using folder = await temporaryFolder();
		await using smtp = await startSmtpServer();
		await using hooks = await startWebhookReceiver();
		const env = {
			LEAD_STORE: `sqlite:${folder.path}/leads.db`,
			...smtp.settings,
			LEAD_WEBHOOK_URL: `${hooks.url}/chat ${hooks.url}/program`,
			LEAD_WEBHOOK_FORMAT: 'mattermost json',
			LEAD_CHAT_MESSAGE: 'off',
		};
		await using server = await start('more', env);
		expect((await postBody(server.url, { ...leadOf(), ...ofMore })).status).toBe(200);
		await hooks.received(2);
		await expect.poll(() => smtp.mails.length).toBe(1);

		expect(smtp.mails[0]!.parsed.text).toMatch(
			/^Notes:\n {2}One\.\n {2}Two\.\n\n[^]*\nVAT number: ES1\nTeam size: Six and more\nMost calls: After noon\nBalance: -2\nNewsletter: Yes\n/,
		);
		const [chat, program] = ['/chat', '/program'].map((end) => hooks.requests.find(({ path }) => path.endsWith(end))!.body);
		expect(chat).toContain('**Team size:** Six and more');
		expect(chat).toContain('**Notes:** Not shown in chat: see the mail of this lead');
		expect(JSON.parse(program!)).toMatchObject({ data: ofMore });
		const { entries } = JSON.parse(await leads('more', env, 'list', '--json')) as { entries: { id: string }[] };
		expect(await leads('more', env, 'show', entries[0]!.id)).toMatch(
			/^Team size +Six and more\nMost calls +After noon\nBalance +-2$/m,
		);
		expect(await leads('more', env, 'export', '--csv')).toMatch(/"vat_number","notes",.*"balance"[^]*"large","pm","-2","on"/);
		expect(JSON.parse(await leads('more', env, 'export'))).toMatchObject(ofMore);

		// From the form alone, as browsers send it.
		const form = { ...leadOf(), vat_number: '', notes: '', team_size: '', calls: 'am', balance: '0', website: '' };
		const sent = await fetch(`${server.url}/api/contact`, {
			method: 'POST',
			body: new URLSearchParams(form),
			redirect: 'manual',
		});
		expect(sent.status).toBe(303);
		await expect.poll(() => smtp.mails.length).toBe(2);
		expect(smtp.mails[1]!.parsed.text).toContain('\nMost calls: In the morning\nBalance: 0\n\nConsent');
		expect(smtp.mails[1]!.parsed.text).not.toMatch(/VAT number|Notes|Team size/);
	});

	test('kept with what was entered where the form alone is not taken', async () => {
		await using server = await start('more');
		const body = new URLSearchParams({ team_size: 'large', calls: 'pm', balance: 'many', newsletter: 'on' });
		const page = await (await fetch(`${server.url}/api/contact`, { method: 'POST', body })).text();
		expect(page).toMatch(/<option value="large" selected>Six and more/);
		expect(page).toMatch(/value="pm" checked/);
		expect(page).toMatch(/id="balance"[^>]*aria-invalid="true"[^>]* value="many"/);
		expect(page).toMatch(/id="newsletter"[^>]*checked/);
		const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ['html-validate:recommended'] }));
		expect(formatterFactory('text')((await validator.validateString(page)).results)).toBe('');
	});
});

describe('in a browser, a field of each kind', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await chromium.launch({ executablePath: await chromiumPath(), chromiumSandbox: false });
	});
	afterAll(() => browser.close());

	test('is in the draft, leads to its error, and has no fault that axe finds', async () => {
		await using server = await start('more');
		const context = await browser.newContext();
		const page = await context.newPage();
		await page.goto(`${server.url}/contact`);
		await page.getByLabel('Team size').selectOption('Six and more');
		await page.getByLabel('After noon').check();
		await page.getByLabel('Balance').fill('many');
		await page.getByLabel('Newsletter').check();
		await page.locator('#consent').check();
		await page.reload();
		expect(await page.getByLabel('Team size').inputValue()).toBe('large');
		expect(await page.getByLabel('Balance').inputValue()).toBe('many');
		expect(await page.locator(':checked:not(option)').evaluateAll((fields) => fields.map(({ id }) => id))).toEqual([
			'calls-pm',
			'newsletter',
		]);

		await page.evaluate(() => sessionStorage.clear());
		await page.reload();
		await page.getByRole('button', { name: 'Send message' }).click();
		await page.getByRole('link', { name: 'Fill in “Most calls”.' }).click();
		expect(await page.evaluate(() => document.activeElement!.id)).toBe('calls');
		expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
	});
});

describe('a lead that waits in the store', () => {
	test.each([
		[
			'with fields that there are no more is shown and delivered with them',
			'more',
			'plain',
			ofMore,
			'team_size: large',
			/^balance +-2$/m,
		],
		['without a field that there is now is shown and delivered without it', 'plain', 'more', {}, 'Email: ', /^Email /m],
	] as const)('%s', async (_case, before, after, fields, told, shown) => {
		await using folder = await temporaryFolder();
		let status = 503;
		await using hooks = await startWebhookReceiver(() => ({ status }));
		const env = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: hooks.url, LEAD_WEBHOOK_FORMAT: 'mattermost' };
		{
			await using server = await start(before, env);
			expect((await postBody(server.url, { ...leadOf(), ...fields })).status).toBe(200);
			await hooks.received(1);
			server.process.signal('SIGTERM');
			await server.process.exit();
		}
		status = 200;
		const { entries } = JSON.parse(await leads(after, env, 'list', '--json')) as { entries: { id: string }[] };
		expect(await leads(after, env, 'show', entries[0]!.id)).toMatch(shown);
		expect(await leads(after, env, 'export')).toContain(leadOf()['clinic']);
		await leads(after, env, 'retry', entries[0]!.id);
		await using _ = await start(after, env);
		await hooks.received(2);
		expect(hooks.requests[1]!.body.replaceAll(/[*\\]/g, '')).toContain(told);
	});
});

const schemas = async () => (JSON.parse(await copy.built('openapi.json')) as OpenApi).components.schemas;
const published = async () => (await schemas())['Lead']!;
const errorSchema = async () => (await schemas())['ProblemError']!.properties!['code'] as { description: string };
