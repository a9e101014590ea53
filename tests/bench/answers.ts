import { formOf, leadOf } from '../support/post-lead.ts';
import { type Comparison, inTurns } from './comparison.ts';
import { type Contender, costOf, type Load, startOurs } from './contender.ts';
import { benchFolder, startInstantReceiver } from './http.ts';

const STATUS = 'GET /api/status';
const JSON_ANSWER = 'JSON over the limit';
const LEAD = '/api/contact';
/** The only page that is made for its reader. It has no goal, because the limit counts it. */
const RENDERED = 'a form with faults';
/** An answer may take so many times the processor time of a JSON answer: the health check, or what a body is answered. */
const MOST = 4;

/** Compares the processor time of answers that anybody may ask for, as often as they like, with that of JSON. */
export async function answers(): Promise<Comparison[]> {
	await using receiver = await startInstantReceiver();
	await using folder = await benchFolder();
	const leads = { LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: 'none' };
	await using open = await startOurs({ ...leads, LEAD_STORE: `sqlite:${folder.path}/leads.db` });
	await using limiting = await startOurs({ ...leads, LEAD_RATE_LIMIT: '1/1d' });
	// A process of its own: what follows such a page takes longer.
	await using rendering = await startOurs(leads);
	const refused = (server: Contender, path: string, load?: Load) => () => costOf(server, path, { ...load, refused: true });
	const faulty = leadOf({ email: 'nobody' });
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	const form = { lead: String(formOf(faulty)), headers };
	const toPosts = {
		[JSON_ANSWER]: refused(limiting, LEAD, { lead: JSON.stringify(faulty) }),
		'a form of another site': refused(open, LEAD, { ...form, headers: { ...headers, origin: 'https://other.example' } }),
		'a form that cannot be read': refused(open, LEAD, { lead: 'name=%FF', headers }),
		'a form over the limit': refused(limiting, LEAD, form),
		[RENDERED]: refused(rendering, LEAD, form),
	};
	const toGets = {
		[STATUS]: () => costOf(open, '/api/status'),
		'an operation that is not there': refused(open, '/api/nothing'),
		'a page that is not there': refused(open, '/nothing'),
		'a link that does not hold': refused(open, '/lead/taken'),
	};
	const costs = await inTurns({ ...toGets, ...toPosts });
	return Object.keys(costs)
		.filter((what) => what !== STATUS)
		.map((what) => {
			const yardstick = what in toPosts && what !== JSON_ANSWER ? JSON_ANSWER : STATUS;
			const isFree = what === RENDERED || what === JSON_ANSWER;
			const values = { [yardstick]: costs[yardstick]!, [what]: costs[what]! };
			return { what, unit: 'µs', target: isFree ? undefined : MOST, values };
		});
}
