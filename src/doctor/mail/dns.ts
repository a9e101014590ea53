import { domainOf } from '../../lead/channels/mail.ts';
import type { Examination } from '../examination.ts';
import { skipped, type Verdict } from '../verdict.ts';

export type Resolver = Examination['resolver'];

/** The text records of a name; none where it has none. */
export async function textsAt(resolver: Resolver, name: string): Promise<string[]> {
	const records = await orNone(resolver.resolveTxt(name));
	return records.map((parts) => parts.join(''));
}

export const orNone = <Item>(answer: Promise<Item[]>) =>
	answer.catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
		throw new Error(`the DNS does not answer: ${error.code}`);
	});

/** A check of the sender’s domain, where there is a sender. */
export const ofSender = (look: (domain: string, examination: Examination) => Promise<Verdict>) => (examination: Examination) => {
	const { smtp, email } = examination.settings;
	return smtp && email.from ? look(domainOf(email.from), examination) : skipped('no SMTP_URL in these settings');
};
