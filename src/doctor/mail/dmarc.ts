import { textsAt } from './dns.ts';
import type { Examination } from '../examination.ts';
import { fault, ok, type Verdict, warning } from '../verdict.ts';

/** RFC 7489 section 6.6.3; above the domain as far as there are two labels. */
export async function dmarc(domain: string, { resolver }: Examination): Promise<Verdict> {
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

/** What receivers do with mail that fails; a domain above may say it for those below it by itself. */
function policyIn(record: string, below: boolean): string {
	const tags = new Map(record.split(';').map((tag) => tag.trim().split(/\s*=\s*/) as [string, string]));
	return (below ? tags.get('sp') : undefined) ?? tags.get('p') ?? 'none';
}
