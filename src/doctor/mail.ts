import { createPublicKey } from 'node:crypto';
import { domainOf } from '../lead/email-address.ts';
import { greet } from '../lead/channels/smtp.ts';
import type { Check, DoctorSettings, Examination, Finding } from './check.ts';
import { fault, ok, okIfNone, skipped, warning } from './check.ts';

type Resolver = Examination['resolver'];

/** Returns the text records of a name. */
async function textsAt(resolver: Resolver, name: string): Promise<string[]> {
	const records = await orNone(resolver.resolveTxt(name));
	return records.map((parts) => parts.join(''));
}

const orNone = <Item>(answer: Promise<Item[]>) =>
	answer.catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
		throw new Error(`the DNS does not answer: ${error.code}`);
	});

/** Checks the sender’s domain, if the settings have a sender. */
const ofSender = (look: (domain: string, examination: Examination) => Promise<Finding>) => (examination: Examination) => {
	const { smtp, email } = examination.settings;
	return smtp && email.from ? look(domainOf(email.from), examination) : skipped('no SMTP_URL in these settings');
};

/** RFC 7208 */
async function spf(domain: string, { resolver }: Examination): Promise<Finding> {
	const records = (await textsAt(resolver, domain)).filter((text) => /^v=spf1( |$)/i.test(text));
	const [record = ''] = records;
	const advice = `Publish one TXT record at ${domain}, for example: v=spf1 include:(your mail provider) -all`;
	if (records.length !== 1) return fault(records.length === 0 ? `${domain} has none` : `${domain} has ${records.length}`, advice);
	const terms = record.toLowerCase().split(' ');
	if (terms.some((term) => term === 'all' || term === '+all')) return fault(`it allows everybody: ${record}`, advice);
	const refuses = terms.some((term) => term === '-all' || term === '~all' || term.startsWith('redirect='));
	return refuses ? ok(record) : warning(`it refuses nobody: ${record}`, advice);
}

/** RFC 6376 section 3.6 */
async function keyAt(
	resolver: Resolver,
	{ domainName, keySelector, privateKey }: NonNullable<DoctorSettings['dkim']>,
): Promise<Finding> {
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

const dkim = ({ resolver, settings }: Examination): Finding | Promise<Finding> =>
	settings.dkim
		? keyAt(resolver, settings.dkim)
		: skipped('no LEAD_EMAIL_DKIM_KEY in these settings: the mail server signs, or nobody');

/** RFC 7489 section 6.6.3; climbs to parent domains down to two labels. */
async function dmarc(domain: string, { resolver }: Examination): Promise<Finding> {
	const labels = domain.split('.');
	for (let from = 0; from < Math.max(labels.length - 1, 1); from += 1) {
		const name = `_dmarc.${labels.slice(from).join('.')}`;
		const record = (await textsAt(resolver, name)).find((text) => /^v=DMARC1\b/.test(text));
		if (record === undefined) continue;
		if (policyIn(record, from > 0) !== 'none') return ok(`${name}: ${record}`);
		return warning(
			`${name} has no effect: ${record}`,
			'Once its reports show that your own mail passes, say p=quarantine or p=reject.',
		);
	}
	return fault(
		`${domain} has none`,
		`Publish a TXT record at _dmarc.${domain}, for example: v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`,
	);
}

/** Returns what receivers do with mail that fails. A parent domain may set its own policy for subdomains (`sp`). */
function policyIn(record: string, below: boolean): string {
	const tags = new Map(record.split(';').map((tag) => tag.trim().split(/\s*=\s*/) as [string, string]));
	return (below ? tags.get('sp') : undefined) ?? tags.get('p') ?? 'none';
}

async function recipients({ resolver, settings: { email } }: Examination): Promise<Finding> {
	const all = [...(email.to ?? []), ...(email.routes ?? []).flatMap(({ to }) => to)];
	const domains = [...new Set(all.map(domainOf))];
	const taking = await Promise.all(domains.map((domain) => takesMail(resolver, domain)));
	const dead = domains.filter((_, at) => !taking[at]);
	return okIfNone(
		dead,
		domains.join(', '),
		'No server takes mail for these: correct LEAD_EMAIL_TO, LEAD_EMAIL_ROUTES or the MX.',
	);
}

/** RFC 5321 section 5.1; RFC 7505: a lone dot means that the domain takes no mail. */
async function takesMail(resolver: Resolver, domain: string): Promise<boolean> {
	const servers = await orNone(resolver.resolveMx(domain));
	if (servers.length > 0) return servers.some(({ exchange }) => exchange !== '' && exchange !== '.');
	const addresses = await Promise.all([orNone(resolver.resolve4(domain)), orNone(resolver.resolve6(domain))]);
	return addresses.flat().length > 0;
}

async function mailServer({ settings: { smtp } }: Examination): Promise<Finding> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	return fault(
		greeting.reason,
		'See to it that SMTP_URL has the right host, port, user and password, and that the server offers STARTTLS.',
	);
}

/** Checks the mail to the sales team: its DNS records, and the server that sends it. They send no mail. */
export const mailChecks: Check[] = [
	{ name: 'mail: SPF', look: ofSender(spf) },
	{ name: 'mail: DKIM', look: dkim },
	{ name: 'mail: DMARC', look: ofSender(dmarc) },
	{ name: 'mail: recipients', look: ofSender((_, examination) => recipients(examination)) },
	{ name: 'mail: server', look: mailServer },
];
