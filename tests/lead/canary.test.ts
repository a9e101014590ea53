import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { canaryMessage, isCanary } from '../../src/lead/words.ts';

const [secret, other] = ['a', 'b'].map((letter) => createSecretKey(letter.repeat(32), 'utf8')) as [never, never];
const message = canaryMessage('1f2e', secret);

test.each<[what: string, lead: { message?: string }, known: boolean]>([
	['as it was made', { message }, true],
	['by somebody with another secret', { message: canaryMessage('1f2e', other) }, false],
	['with another id', { message: message.replace('1f2e', '1f2f') }, false],
	['with a signature that was cut', { message: message.slice(0, -1) }, false],
	['with words behind it', { message: `${message}\nPlease call me.` }, false],
	['without a message', {}, false],
])('a lead %s is a canary: %j, %j', (_, lead, known) => {
	expect(isCanary(lead, secret)).toBe(known);
});
