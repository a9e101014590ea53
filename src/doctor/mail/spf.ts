import { textsAt } from './dns.ts';
import type { Examination } from '../examination.ts';
import { fault, ok, type Verdict, warning } from '../verdict.ts';

/** RFC 7208 */
export async function spf(domain: string, { resolver }: Examination): Promise<Verdict> {
	const records = (await textsAt(resolver, domain)).filter((text) => /^v=spf1( |$)/i.test(text));
	const [record = ''] = records;
	const advice = `Publish one TXT record at ${domain}, for example: v=spf1 include:(your mail provider) -all`;
	if (records.length !== 1) return fault(records.length === 0 ? `${domain} has none` : `${domain} has ${records.length}`, advice);
	const terms = record.toLowerCase().split(' ');
	if (terms.some((term) => term === 'all' || term === '+all')) return fault(`it allows everybody: ${record}`, advice);
	const refuses = terms.some((term) => term === '-all' || term === '~all' || term.startsWith('redirect='));
	return refuses ? ok(record) : warning(`it refuses nobody: ${record}`, advice);
}
