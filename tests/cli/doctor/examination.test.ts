import { expect, test } from 'vitest';
import { findingOf } from '../../../src/cli/doctor/examination.ts';

test.each([
	['ECONNREFUSED', /^it is ECONNREFUSED$/, /server runs/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^UNABLE_TO_VERIFY_LEAF_SIGNATURE: .+/, /certificate/],
])('a certificate that nobody trusts is told from a server that does not run: %s', (code, found, advice) => {
	const failed = new TypeError('fetch failed', { cause: Object.assign(new Error(`it is ${code}`), { code }) });
	const finding = { found: expect.stringMatching(found), advice: expect.stringMatching(advice) };
	expect(findingOf(failed)).toMatchObject(finding);
});
