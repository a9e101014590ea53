import fc from './fast-check.ts';
import { campaignNames } from '../../src/lead/campaign.ts';
import { exampleLead, type Lead, leadFields, leadSchema } from '../../src/lead/lead.ts';
import { type Message, messageOf } from '../../src/channels/message.ts';
import { receivedLead, team } from './lead.ts';

const rows = ['Email: x@evil.example', 'Act on it: https://evil.example'];
/** Text that attackers send. */
const fragments = [
	'@everyone @here @channel @all <!channel> <!here|x> <@U123> <users/all> <at>Ana</at> @ana &#64;channel &commat;all',
	'[bank](https://evil.example) <https://evil.example|bank> ![x](https://evil.example/x.png) <https://evil.example> www.evil.example',
	'https://evil.example http:/\\evil.example &lt; &amp;lt; <b> </b> --> "> \' \\ \\\\ \\* ${x} @{x} {{time(x)}} /start /start@bot $CASH #tag',
	'**b** __u__ *i* _i_ ~~s~~ ||s|| `c` *** ~~~ ``` :smile: :) <:x:1> <t:0:R> <#1> </x:1> ~town-square \u001b[31m \uD800 \uDC00',
	`👩‍⚕️ 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ می‌خواهم क्‍ष 葛󠄀 e\u0301 a${'\u0301'.repeat(80)} שלום \u202Eevil\u202C \u2066x\u2069`,
]
	.flatMap((kind) => kind.split(' '))
	.concat('# h', '## h', '> q', '>>> q', '- l', '+ l', '1. l', '    code')
	.concat('a\n===', 'a\n---', '|a|b|\n|-|-|\n|c|d|', '```\nc\n```')
	.concat('<a href="https://evil.example">bank</a>', '[x]: https://evil.example', '{{DATE(2017-02-14T06:00:00Z, SHORT)}}')
	.concat('\r\nBcc: x@evil.example', '\n', ' ', '\t', '\0', '\u001B]0;x\u0007')
	.concat([...'\n\r\v\f\u0085\u2028\u2029'].flatMap((end) => rows.map((row) => end + row)))
	.concat('=?utf-8?q?=0d=0aBcc:x=40evil.example?=', '=0D=0A', '</td></tr></table><script>', '\n.\n', 'From ', ', x@evil.example')
	.concat(`\n----_NmP-=_${receivedLead().id}-Part_1--`, ' '.repeat(80))
	.concat('\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\u034F', '\u3164', '\uFE0F', '\u{E0041}');

/** Draws text of at most `max` code points, with at least one visible character. */
function hostileText(max: number) {
	const part = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: 'binary', maxLength: 8 }));
	return fc.array(part, { maxLength: 12 }).map((parts) => [...`x${parts.join('')}`].slice(0, max).join(''));
}

/** Draws such text, sometimes of the greatest allowed length. */
function longText(max: number) {
	const unit = fc.tuple(fc.constantFrom(...fragments), fc.constantFrom('', ' ', '\n', '🦷', '界'));
	const longest = unit.map((parts) => [...`x${parts.join('').repeat(max)}`].slice(0, max).join(''));
	return fc.oneof(hostileText(max), longest);
}

const address = fc
	.tuple(
		fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,9})?$/),
		fc.constantFrom('clinic.example', 'channel.example', 'here.all', 'gооgle.com', 'clínica.example', 'xn--11ba1o090g.example'),
	)
	.map(([local, domain]) => `${local}@${domain}`);

const textFields = leadFields.filter(({ maxLength }) => maxLength !== undefined);

const query = fc.dictionary(fc.constantFrom('topic', 'from', 'first', ...campaignNames), hostileText(40));
/** Draws a visitor's origin as an address has it: percent-encoded, and maybe cut in the middle of a code. */
const visited = fc
	.tuple(fc.constantFrom('/', '/contact'), query)
	.map(([page, query]) => `${page}?${new URLSearchParams(query).toString()}`.slice(0, 500));

/** Draws the fields of an attacker's lead: all that have text. */
export const hostileFields: fc.Arbitrary<Record<string, string>> = fc.record({
	...Object.fromEntries(textFields.map(({ name, kind, maxLength }) => [name, kind === 'email' ? address : longText(maxLength!)])),
	source: fc.oneof(visited, longText(500)),
});

/** Draws hostile leads with every field that the schema accepts. */
export const hostileLead: fc.Arbitrary<Lead> = hostileFields
	.map((fields) => leadSchema.safeParse({ ...exampleLead(() => true), ...fields }).data)
	.filter((lead) => lead !== undefined);

export const hostileMessage: fc.Arbitrary<Message> = hostileLead.map((lead) => messageOf({ ...receivedLead(), lead }, team));
