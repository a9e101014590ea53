import { expect, test } from 'vitest';
import { findingOf } from '../../../src/cli/doctor/examination.ts';

/** What `fetch` rejects with. */
const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(`it is ${code}`), { code }) });

test('a certificate that nobody trusts is told from a server that does not run', () => {
	const ofCertificate = findingOf(failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'));
	expect(ofCertificate.found).toMatch(/^UNABLE_TO_VERIFY_LEAF_SIGNATURE: .+ NODE_EXTRA_CA_CERTS can add a signer$/);
	expect(ofCertificate.advice).toMatch(/certificate/);
	const ofServer = findingOf(failed('ECONNREFUSED'));
	expect(ofServer.found).toBe('it is ECONNREFUSED');
	expect(ofServer.advice).toMatch(/server runs/);
});
