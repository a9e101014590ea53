import { askModel } from '../../src/channels/language-model.ts';
import type { Lead } from '../../src/lead/lead.ts';
import { caught, leadsOf } from '../support/spam-sets.ts';
import type { Comparison } from './comparison.ts';

/** A model on one's own machine may take as long for a message, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Prints how many leads of each set in `tests/outbox` the rules mark, and how many each language model of LEAD_SPAM_URL, at which cost. */
export async function spam(): Promise<Comparison[]> {
	const sets = { spam: leadsOf('spam'), 'no spam': leadsOf('twins') };
	const urls = (process.env['LEAD_SPAM_URL'] ?? '').split(/\s+/).filter((url) => url.startsWith('openai+'));
	const rows = [];
	for (const [set, leads] of Object.entries(sets)) {
		const byRules = new Set(caught(leads));
		rows.push({ judge: 'rules', set, leads: leads.length, marked: byRules.size });
		for (const url of urls) rows.push({ set, leads: leads.length, ...(await asked(url, leads, byRules)) });
	}
	console.table(rows);
	if (urls.length === 0) console.log('To ask a language model too: LEAD_SPAM_URL=openai+https://:KEY@HOST/v1?model=NAME');
	return [];
}

async function asked(url: string, leads: Lead[], byRules: Set<Lead>) {
	const counts = { pitch: 0, spam: 0, enquiry: 0, unclear: 0, failed: 0 };
	const marked = new Set(byRules);
	let [tokens, slowest] = [0, 0];
	for (const lead of leads.filter(({ message }) => message)) {
		const start = performance.now();
		const said = await askModel(new URL(url), lead, AbortSignal.timeout(PATIENCE_MS)).catch(() => undefined);
		slowest = Math.max(slowest, Math.round(performance.now() - start));
		counts[said?.answer ?? 'failed'] += 1;
		tokens += said?.tokens ?? 0;
		if (said?.answer === 'pitch' || said?.answer === 'spam') marked.add(lead);
	}
	return { judge: new URL(url).searchParams.get('model'), marked: marked.size, ...counts, tokens, 'ms, slowest': slowest };
}
