import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { facts } from '../../src/facts/load.ts';
import { keyless, links, origin, textAt } from './published.ts';

const text = textAt(paths.authMd);

test.each([
	['that keys are issued by hand', /issued by hand, by email/],
	['that no token endpoint exists', /No token endpoint exists\./],
	['that no credential is needed', /need no credential/],
	['how many leads a client may send without a key', /may send 20 leads in 10 minutes, .* no daily limit: up to 2,880 a day/],
	['what a client does that looks for OAuth first', /without credentials, or with the key in `Authorization`/],
	['that a key needs one scope', /^Scopes: contact:write$/m],
	['what the entry for authorization_servers is', `that entry is ${origin}`],
	['that register_uri leads to the form for keys', `\`register_uri\` is <${links.contact}>, which links to the form for keys`],
	['how to try it out', `Authorization: Bearer ${facts['key.test']}`],
	['the lowest prices', `${facts['price.payAsYouGo']} as you go, or ${facts['price.plans']}`],
])('auth.md says %s', (_, statement) => {
	expect(text).toMatch(statement);
});

test('where no keys are issued, auth.md says so, and says what becomes of a key all the same', () => {
	const changed = textAt(paths.authMd, keyless);
	expect(changed).toContain('No API keys are issued, and no program needs one.');
	for (const credential of [
		'No `Authorization`, or another scheme',
		'`Bearer` and the public test key',
		'`Bearer` and anything else',
	])
		expect(changed).toContain(`\n- ${credential}`);
	for (const text of [textAt(paths.authMd), changed]) expect(text).not.toMatch(/<!--|\{\{|undefined|complian/);
});
