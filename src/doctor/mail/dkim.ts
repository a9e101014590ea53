import { createPublicKey } from 'node:crypto';
import { type Resolver, textsAt } from './dns.ts';
import type { DoctorSettings, Examination } from '../examination.ts';
import { fault, ok, skipped, type Verdict } from '../verdict.ts';

/** RFC 6376 section 3.6 */
async function keyAt(
	resolver: Resolver,
	{ domainName, keySelector, privateKey }: NonNullable<DoctorSettings['dkim']>,
): Promise<Verdict> {
	const name = `${keySelector}._domainkey.${domainName}`;
	const wanted = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
	const record = (await textsAt(resolver, name)).find((text) => /\bp=/.test(text));
	const published = record === undefined ? undefined : /\bp=([^;]*)/.exec(record)![1]!.replaceAll(/\s/g, '');
	if (published === wanted) return ok(`${name} has our key`);
	const found =
		published === undefined
			? 'has no key'
			: published === ''
				? 'says that the key is revoked'
				: 'has another key than LEAD_EMAIL_DKIM_KEY';
	return fault(`${name} ${found}`, `Publish a TXT record at ${name}: v=DKIM1; k=rsa; p=${wanted}`);
}

export const dkim = ({ resolver, settings }: Examination): Verdict | Promise<Verdict> =>
	settings.dkim
		? keyAt(resolver, settings.dkim)
		: skipped('no LEAD_EMAIL_DKIM_KEY in these settings: the mail server signs, or nobody');
