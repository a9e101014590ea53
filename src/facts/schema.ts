import * as z from 'zod';
import { defaultLanguage } from './language.ts';
import { text } from './page.ts';
import { group } from './words.ts';

/** A text of this form. @param wish says what is wanted */
const like = (form: RegExp, wish: string) => z.string().regex(form, { error: wish });
const httpsUrl = z.url({ protocol: /^https$/, error: 'an absolute https URL' });
/** A text in each language, by tag. Readers of another language get it in the default one. */
const translated = z
	.record(text, text, { error: 'a text for each language, such as { en: In Ireland, de: In Irland }' })
	.refine((all) => all[defaultLanguage], { error: `a text for ${defaultLanguage} at least` });
const phoneForm = { error: "a phone number in quotes, with + and the code of its country, such as '+44 20 7946 0018'" };
/** 7 to 15 digits (ITU-T E.164, section 6.2.1). */
const phoneNumber = z.string(phoneForm).regex(/^\+[1-9](?:[ ()-]*\d){6,14}$/, phoneForm);
const isoDate = z.iso.date({ error: 'a date such as 2026-11-01, in quotes' });
const amount = (what: string) => z.number({ error: `a number above 0: ${what}` }).positive();
const count = (what: string) => z.int({ error: `a whole number of ${what}, 1 or more` }).positive();
const baa = z.boolean().describe('Whether a business associate agreement binds it (HIPAA).').optional();
const processor = z.strictObject({ name: text, purpose: translated, region: translated, url: httpsUrl, baa });

export const SERVICE = 'content/service.yaml';

export const serviceSchema = z.strictObject({
	name: text.describe("The product's name, as people read it."),
	company: text.describe('The company with its legal form: the controller of personal data, and the contact in OpenAPI.'),
	identifier: like(/^[a-z][a-z0-9-]*$/, 'lower case letters, digits and hyphens, e.g. front-desk').describe(
		"The product's name for programs: `service` in the answer of `GET /api/status`, units and folders on a machine.",
	),
	api: z.strictObject({
		version: like(/^\d+\.\d+\.\d+$/, 'a version such as 1.0.0').describe('`info.version` in OpenAPI, `version` in the status.'),
		license: group('Its licence: `info.license` (OpenAPI 3.1.0, section 4.8.4).', { identifier: text, name: text }),
	}),
	legalName: text.describe('The name in the register of companies, if it says more than `company`.').optional(),
	address: text.describe('The postal address, on one line.').optional(),
	register: text.describe("The company's register, and its number there.").optional(),
	phones: group('Numbers as their country writes them. A tap calls one.', {
		office: phoneNumber.describe('People answer here.').optional(),
		demo: phoneNumber.describe('The receptionist itself answers here, for callers who want to hear it.').optional(),
	}).optional(),
	recording: group('A call to listen to: the published path of the sound, and its words.', {
		file: like(/^\/[^?#]+\.(m4a|mp3|ogg|opus|wav)$/, 'the path of a sound file of public/, such as /call.mp3'),
		transcript: text.describe('The words of the call, a line for each turn, for people who cannot hear it.'),
	}).optional(),
	profiles: z.record(text, httpsUrl).describe('Pages about the company at other sites, by the name of the site.').optional(),
	answerWorkingDays: count('days').describe('We answer a message within this many working days.').optional(),
	bookingUrl: httpsUrl.describe('A page where visitors book a time to talk.').optional(),
	demo: translated.describe('What somebody who asks for a demo gets: a sentence beside the form.').optional(),
	trust: z
		.strictObject({
			processors: z.array(processor).min(1).describe('Companies that process personal data for us.'),
			agreement: httpsUrl.describe('The data processing agreement.'),
			location: translated.describe('Where data is stored.'),
			retention: translated.describe('How long calls are kept.'),
			callers: translated.describe('How callers are told that they talk to software (EU AI Act, article 50).'),
			accessibility: z
				.strictObject({ standard: text, date: isoDate, contact: z.email() })
				.describe('The standard that this website was checked against, the day, and who is told of barriers.'),
			weaknesses: translated.describe('What happens with the report of a weakness.'),
		})
		.partial()
		.refine((parts) => Object.keys(parts).length > 0, { error: 'at least one of its parts' })
		.describe('What the lawyer of a buyer asks. It makes the page /trust, with the parts that are given.')
		.optional(),
	prices: z
		.strictObject({
			currency: z
				.enum(Intl.supportedValuesOf('currency'), { error: 'an ISO 4217 currency code such as USD' })
				.describe('ISO 4217 code.'),
			payAsYouGo: z.strictObject({ from: amount('the lowest price per minute') }),
			plans: z.strictObject({
				from: amount('the lowest price per month'),
				includedMinutes: count('minutes').describe('Minutes a month that the lowest price pays for.').optional(),
				overage: amount('the price of a further minute').describe('The price of each further minute.').optional(),
				termMonths: count('months').describe('A clinic takes a plan for this many months at least.').optional(),
			}),
			setupFee: amount('what a clinic pays once').describe('What a clinic pays once, before it starts.').optional(),
			trialDays: count('days').describe('This many days are free at the beginning.').optional(),
		})
		.superRefine(({ currency, payAsYouGo, plans, setupFee }, context) => {
			// Pages would round further decimals, and data would not.
			const format = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
			const decimals = format.maximumFractionDigits ?? 0;
			const message = `${decimals} decimals at most, and no dot between thousands`;
			const amounts = { 'payAsYouGo.from': payAsYouGo.from, 'plans.from': plans.from, 'plans.overage': plans.overage, setupFee };
			for (const [name, value = 0] of Object.entries(amounts))
				if (Number(value.toFixed(decimals)) !== value)
					context.addIssue({ code: 'custom', path: name.split('.'), input: value, message });
			if ((plans.includedMinutes === undefined) !== (plans.overage === undefined))
				context.addIssue({ code: 'custom', path: ['plans'], input: plans, message: 'includedMinutes and overage, or neither' });
		}),
	emails: z.strictObject({
		sales: z.email().describe('Sales questions, and requests for API access.'),
		privacy: z.email().describe('Questions and requests about personal data.'),
		security: z.email().describe('Reports of weaknesses: `Contact` in security.txt (RFC 9116 section 2.5.3).'),
	}),
	privacyNotice: z.strictObject({
		version: isoDate.describe('Date of the notice and of the consent text, YYYY-MM-DD.'),
		retentionDays: z.int().min(0).describe('The service keeps a delivered lead for this many days at most.'),
		officer: z.email().describe('The data protection officer, if there is one.').optional(),
	}),
	keys: z
		.enum(['none', 'issued'])
		.describe('Whether we issue API keys. `none`: only the public test key works, and no document promises another.'),
	scopes: group('OAuth 2.0 scopes (RFC 6749 section 3.3) of the API, each with what it allows.', {
		'contact:write': text,
		'status:read': text,
	}),
	editUrl: httpsUrl
		.describe("Where a browser edits the project's files, by their paths from its root. Pages of documentation link there.")
		.optional(),
	contentSignals: group('The content signals of robots.txt: for search, for input to AI answers, for training.', {
		search: z.boolean(),
		aiInput: z.boolean(),
		aiTrain: z.boolean(),
	}),
});

export type Service = z.output<typeof serviceSchema>;
