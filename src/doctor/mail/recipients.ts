import { domainOf } from '../../lead/channels/mail.ts';
import { orNone, type Resolver } from './dns.ts';
import type { Examination } from '../examination.ts';
import { noneOf, type Verdict } from '../verdict.ts';

export async function recipients({ resolver, settings: { email } }: Examination): Promise<Verdict> {
	const domains = [...new Set((email.to ?? []).map(domainOf))];
	const taking = await Promise.all(domains.map((domain) => takesMail(resolver, domain)));
	const dead = domains.filter((_, at) => !taking[at]);
	return noneOf(dead, domains.join(', '), 'No mail server takes mail for these: correct LEAD_EMAIL_TO, or their MX records.');
}

/** RFC 5321 section 5.1; RFC 7505: a lone dot takes no mail. */
async function takesMail(resolver: Resolver, domain: string): Promise<boolean> {
	const servers = await orNone(resolver.resolveMx(domain));
	if (servers.length > 0) return servers.some(({ exchange }) => exchange !== '' && exchange !== '.');
	const addresses = await Promise.all([orNone(resolver.resolve4(domain)), orNone(resolver.resolve6(domain))]);
	return addresses.flat().length > 0;
}
