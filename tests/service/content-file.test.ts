import { expect, test } from 'vitest';
import source from '../../content/service.yaml?raw';
import { parseContentFile } from '../../src/service/content-file.ts';
import { serviceSchema } from '../../src/service/schema.ts';

const parse = (yaml: string) => parseContentFile('content/service.yaml', yaml, serviceSchema);

test('the facts are valid', () => {
	expect(parse(source).name).toBeTruthy();
});

test.each([
	[
		'a wrong value',
		/payAsYouGo: \{ from: [\d.]+/,
		'payAsYouGo: { from: cheap',
		/service\.yaml:\d+ prices\.payAsYouGo\.from: found "cheap", wanted a number above 0/,
	],
	['a missing member', /^company:.*$/m, '', /service\.yaml:\d+ company: found nothing, wanted a string\./],
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
		/recording\.transcript: found nothing, wanted a string\./,
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
