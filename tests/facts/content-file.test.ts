import { expect, test } from 'vitest';
import written from '../../content/service.yaml?raw';
import { parseContentFile } from '../../src/facts/content-file.ts';
import { serviceSchema } from '../../src/facts/schema.ts';

/** The facts without the optional ones about the company. */
const source = written.replaceAll(/^(editUrl|phones|profiles|recording):.*\n( .*\n)*/gm, '');

const parse = (yaml: string) => parseContentFile('content/service.yaml', yaml, serviceSchema);

test('the facts are valid', () => {
	expect(parse(written).name).toBeTruthy();
});

test.each([
	[
		'a wrong value',
		/payAsYouGo: \{ from: [\d.]+/,
		'payAsYouGo: { from: cheap',
		/service\.yaml:\d+ prices\.payAsYouGo\.from: found "cheap", wanted a number above 0/,
	],
	['a missing member', /^company:.*$/m, '', /service\.yaml:\d+ company: found nothing, wanted some words\./],
	[
		'an unknown member',
		/^name:/m,
		'nmae: x\nname:',
		/service\.yaml:\d+ nmae: found a member that does not exist, wanted one that exists: did you mean name\?/,
	],
	[
		'a tab',
		/^ {2}state:/m,
		'\tstate:',
		/service\.yaml:\d+ is not valid YAML: put spaces in front of the words, in the place of tabs\./,
	],
	[
		'an unknown choice',
		'state: planned',
		'state: soon',
		/service\.yaml:\d+ oauth\.state: found "soon", wanted "planned" or "live"/,
	],
	[
		'OAuth said to be live without its endpoints',
		'state: planned',
		'state: live',
		/oauth\.tokenEndpoint: found nothing, wanted an absolute https URL/,
	],
	[
		'a phone number without its country',
		/^answerWorkingDays/m,
		"phones: { office: '030 123456' }\nanswerWorkingDays",
		/phones\.office: found "030 123456", wanted a phone number with \+ and the code of its country, such as \+44 20 7946 0018\./,
	],
	[
		'a phone number that YAML takes for a number',
		/^answerWorkingDays/m,
		'phones: { demo: +442079460018 }\nanswerWorkingDays',
		/phones\.demo: found 442079460018, wanted a phone number in quotes, /,
	],
	[
		'a profile that is not https',
		/^answerWorkingDays/m,
		'profiles: { Network: http://network.example/us }\nanswerWorkingDays',
		/profiles\.Network: found "http:\/\/network\.example\/us", wanted an absolute https URL\./,
	],
	[
		'a recording that is no sound',
		/^answerWorkingDays/m,
		'recording: { file: /call.txt, transcript: x }\nanswerWorkingDays',
		/recording\.file: found "\/call\.txt", wanted the path of a sound file of public\/, such as \/call\.mp3\./,
	],
	[
		'a recording without its transcript',
		/^answerWorkingDays/m,
		'recording: { file: /call.mp3 }\nanswerWorkingDays',
		/recording\.transcript: found nothing, wanted some words\./,
	],
	[
		'days that are none',
		/^answerWorkingDays: .*/m,
		'answerWorkingDays: 0',
		/answerWorkingDays: found 0, wanted a whole number of days, 1 or more\./,
	],
	[
		'a repository, and not where its files are edited',
		/^keys:/m,
		'editUrl: https://github.com/firm/website\nkeys:',
		/service\.yaml:\d+ editUrl: found ".*", wanted the https URL below which files are edited, such as https:.*\/edit\/main\./,
	],
	['broken YAML', 'emails:', 'emails: {', /service\.yaml:\d+ is not valid YAML/],
])('%s is named with file, line, field, what was found and what is wanted', (_, search, replacement, message) => {
	expect(() => parse(source.replace(search, replacement))).toThrow(message);
});

test.each<[place: RegExp, text: string, told: string | RegExp]>([
	[/^  plans: .*/m, '  plans: { from: 99,50, per: month }', 'prices.plans.from: found 99,50 with a comma, wanted 99.50.'],
	[
		/^  plans: .*/m,
		'  plans: { from: 1.234, per: month }',
		/prices\.plans\.from: found 1\.234, wanted \d decimals at most, and no dot/,
	],
	[/^  plans: .*/m, '  plans: { from: 1,299.50, per: month }', 'prices.plans.from: found 1,299.50 with a comma, wanted 1299.50.'],
	[
		/^  plans: .*/m,
		'  plans:\n    from: 1.299,50\n    per: month',
		'prices.plans.from: found 1.299,50 with a comma, wanted 1299.50.',
	],
	[
		/^keys:.*/m,
		'keys: none\nprofiles: { Map: https://map.example/52,13 }',
		'profiles.Map: found 13 behind a comma, without a value, wanted quotes around all the words, if the comma is one of theirs.',
	],
	[/^name:/m, 'nmae:\nname:', 'nmae: found a member that does not exist, wanted one that exists: did you mean name?'],
	[/^  status:read:.*/m, '  status:read:', 'scopes.status:read: found nothing, wanted some words.'],
	[/^  sales: .*/m, '  sales: x', 'emails.sales: found "x", wanted an email address, such as sales@clinic.example.'],
	[/^  retentionDays: .*/m, '  retentionDays: -1', 'privacyNotice.retentionDays: found -1, wanted a number from 0.'],
	[/^  retentionDays: .*/m, '  retentionDays: 1.5', 'privacyNotice.retentionDays: found 1.5, wanted a whole number.'],
	[/^name: .*/m, 'name: 24', "name: found 24, wanted it in quotes: '24'."],
	[/^identityTypes: .*/m, 'identityTypes: []', 'identityTypes: found [], wanted a list, each entry on a line of its own'],
	[/^emails:\n( .*\n)*/m, 'emails: x\n', 'emails: found "x", wanted names with their values, each on a line of its own'],
	[
		/^  contact:write:/m,
		'  contact write:',
		'scopes.contact write: found the name contact write, wanted a name of ASCII characters',
	],
])('for %s as %j, an editor is told what to write', (place, text, told) => {
	expect(source).toMatch(place);
	expect(() => parse(source.replace(place, text))).toThrow(told);
});

test('the message names the line at fault', () => {
	const line = source.split('\n').findIndex((text) => text.includes('payAsYouGo')) + 1;
	expect(() => parse(source.replace(/payAsYouGo: \{ from: [\d.]+/, 'payAsYouGo: { from: -1'))).toThrow(
		`content/service.yaml:${line} `,
	);
});

test('a private key is refused, since the set is published', () => {
	const live = `oauth:
  state: live
  authorizationEndpoint: https://id.example.com/authorize
  tokenEndpoint: https://id.example.com/token
  responseTypes: [code]
  grantTypes: [authorization_code]
  subjectTypes: [public]
  idTokenSigningAlgorithms: [RS256]
  scopes: [openid]
  keys: [{ kty: RSA, kid: one, n: abc, e: AQAB, d: secret }]`;
	expect(() => parse(source.replace(/oauth:\n {2}state: planned/, live))).toThrow('wanted a public key: it has a private member');
});
