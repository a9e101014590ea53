import { expect, test } from 'vitest';
import { findingOf } from '../../../src/cli/doctor/examination.ts';

test('a certificate that nobody trusts is told from a server that does not run', () => {
	const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
	const failed = new TypeError('fetch failed', { cause: Object.assign(new Error('unable'), { code }) });
	const found = expect.stringMatching(/^UNABLE_TO_VERIFY_LEAF_SIGNATURE: .+/);
	expect(findingOf(failed)).toMatchObject({ found, advice: expect.stringContaining('certificate') });
});
