import { expect, test } from 'vitest';
import written from '../fixtures/site/service.yaml?raw';
import { parseContentFile } from '../../src/facts/content-file.ts';
import { serviceSchema } from '../../src/facts/schema.ts';

/** The facts without the optional ones that the mistakes below are in. */
const source = written.replaceAll(/^(address|editUrl|phones|profiles|recording|trust):.*\n( .*\n)*/gm, '');

/** What is told of a line that is no YAML. */
const [noYaml, inQuotes] = ['is not valid YAML: ', ':2 is not valid YAML: put the whole value in quotes, '];

const plans = /^  plans:.*(\n {4}.*)*/m;
const parse = (yaml: string) => parseContentFile('content/service.yaml', yaml, serviceSchema);

test.each<[place: RegExp, text: string, told: string | RegExp]>([
	[/^ {2}currency:/m, '\tcurrency:', `${noYaml}put spaces in front of the words, in the place of tabs.`],
	[/^keys: .*/m, 'keys: soon', 'keys: found "soon", wanted "none" or "issued"'],
	[/currency: .*/, 'currency: UDS', 'found "UDS", wanted an ISO 4217 currency code such as USD.'],
	[/$/, "phones: { office: '030 123456' }", 'phones.office: found "030 123456", wanted a phone number in quotes, with + and'],
	[/$/, 'phones: { demo: +442079460018 }', 'phones.demo: found 442079460018, wanted a phone number in quotes, '],
	[/$/, 'profiles: { X: http://x.example/us }', 'profiles.X: found "http://x.example/us", wanted an absolute https URL.'],
	[/$/, 'recording: { file: /a.txt, transcript: x }', 'recording.file: found "/a.txt", wanted the path of a sound file'],
	[/$/, 'trust: { location: In Ireland }', 'trust.location: found "In Ireland", wanted a text for each language'],
	[/$/, 'trust: { location: { de: In Irland } }', 'trust.location: found {"de":"In Irland"}, wanted a text for en'],
	[/$/, 'trust: {}', 'trust: found {}, wanted at least one of its parts'],
	[/^answerWorkingDays: .*/m, 'answerWorkingDays: 0', 'answerWorkingDays: found 0, wanted a whole number of days, 1 or more.'],
	[plans, '  plans: { from: 99,50 }', 'prices.plans.50: found a member that does not exist, wanted a dot in place of the comma'],
	[plans, '  plans:\n    from: 1.299,50', 'prices.plans.from: found "1.299,50", wanted a number above 0'],
	[plans, '  plans: { from: 1.000 }', /found 1\.000, wanted 1000, or 1 if the dot begins decimals\./],
	[/^name: .*/m, "name: 'L'accueil'", `${inQuotes}in double ones if it has an apostrophe.`],
	[/^name: .*/m, 'name: {{x}} desk', inQuotes],
	[/^name: .*/m, 'name: @desk', inQuotes],
	[/$/, 'legalName:Front', `${noYaml}write a colon and a space behind the name, or close the quotes that begin above.`],
	[/^name: .*/m, 'name: Front\n   company: Desk', `${noYaml}put the value in quotes if it has a colon, or correct the ind`],
	[/^  currency:/m, '   currency:', `${noYaml}begin the lines of a group with as many spaces each, and close its brackets.`],
	[/^name: .*/m, 'name: *Front', inQuotes],
	[/retentionDays: \d+/, 'retentionDays: -1', 'privacyNotice.retentionDays: found -1, wanted a number from 0.'],
	[/^name:/m, 'nam:', /^\S+ nam: found a member that does not exist, wanted one that exists: did you mean name\?$/],
	[/^name: .*/m, 'name: 24', 'name: found 24, wanted it in quotes, as it is written.'],
	[/^emails: .*/m, `emails: ${'x'.repeat(9999)}`, /: found "x{199}, wanted names/],
	[/^emails: .*/m, 'emails: x', 'emails: found "x", wanted names with their values, each on a line of its own'],
	[/'contact:write'/, "'contact write'", /scopes\.contact write: found a member that .* did you mean contact:write\?/],
])('for %s as %j, an editor is told what to write', (place, text, told) => {
	expect(source).toMatch(place);
	expect(() => parse(source.replace(place, text))).toThrow(/^content\/service\.yaml:\d+ /);
	expect(() => parse(source.replace(place, text))).toThrow(told);
});
