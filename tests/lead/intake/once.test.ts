import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { onceFor } from '../../../src/lead/intake/once.ts';
import { leadWith } from '../../support/lead.ts';

const secret = createSecretKey(Buffer.alloc(32, 1));
const hours = 3600_000;
const minutes = 60_000;

test('an Idempotency-Key stands for its lead for 24 hours', () => {
	expect(onceFor(secret, leadWith(), { idempotencyKey: 'a' }).lifetime).toBe(24 * hours);
});

test('without a key, the same lead is one lead for ten minutes', () => {
	expect(onceFor(secret, leadWith(), {}).lifetime).toBe(10 * minutes);
});
