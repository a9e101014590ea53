import { newKey } from '../keys/key.ts';
import { BODY_LIMIT } from '../lead/intake/submission.ts';
import { paths } from '../service/links.ts';
import { service, version } from '../service/load.ts';
import { statusSchema } from '../status/status.ts';
import type { Check } from './check.ts';
import { fault, ok, skipped, type Verdict, warning } from './verdict.ts';
import type { Examination } from './examination.ts';
import type { Answer, Question } from './origin.ts';

const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';
/** In milliseconds: how far the clock may be off. */
const CLOCK_ERROR = 60_000;

const json = (body: string, headers: Question['headers'] = {}): Question => ({
	method: 'POST',
	headers: { 'content-type': 'application/json', ...headers },
	body,
});
const form = (sender: string): Question => ({
	method: 'POST',
	headers: { 'content-type': 'application/x-www-form-urlencoded', origin: sender },
	// Never a lead, wherever it gets.
	body: 'name=',
});

const members = Object.keys(statusSchema.shape).join(', ');

/** The members of the status, or what came in their place. */
async function statusOf({ ask }: Examination): Promise<Record<string, unknown> | string> {
	const { status, headers, body } = await ask(paths.getStatus);
	if (status !== 200) return `answered ${status}`;
	if (!headers['content-type']?.startsWith('application/json')) return `${headers['content-type']}, not application/json`;
	try {
		return JSON.parse(body.toString()) as Record<string, unknown>;
	} catch {
		return 'no JSON';
	}
}

async function status(examination: Examination): Promise<Verdict> {
	const found = await statusOf(examination);
	if (typeof found === 'string') return fault(found, PASS);
	const wrong = Object.keys(found).join(', ') !== members || !statusSchema.safeParse(found).success;
	return wrong ? fault(`${Object.keys(found).join(', ')}, not exactly ${members}`, PASS) : ok(members);
}

async function runningVersion(examination: Examination): Promise<Verdict> {
	const found = await statusOf(examination);
	const running = typeof found === 'string' ? found : found['version'];
	if (running === version && typeof found !== 'string' && found['service'] === service.identifier) return ok(version);
	return fault(
		`${String(running)} runs, and ${version} was built`,
		'Deploy server or function of this build too, and start it again.',
	);
}

async function clock(examination: Examination): Promise<Verdict> {
	const before = Date.now();
	const found = await statusOf(examination);
	const now = (before + Date.now()) / 2;
	const off = typeof found === 'string' ? NaN : Date.parse(String(found['time'])) - now;
	if (Math.abs(off) <= CLOCK_ERROR) return ok('within a minute of this machine’s');
	const much = Number.isNaN(off)
		? 'says no time'
		: `is ${Math.round(Math.abs(off) / 1000)} seconds ${off > 0 ? 'ahead' : 'behind'}`;
	return fault(`the server’s ${much}`, 'Let NTP set the clock of the server, and of this machine: retries and keys go by it.');
}

/** A request to the leads’ address that must be refused with this status. @param more what the refusal lacks */
const refused =
	(
		wanted: number,
		question: (examination: Examination) => Question,
		more: (answer: Answer) => string | undefined = problemFault,
	) =>
	async (examination: Examination): Promise<Verdict> => {
		const answer = await examination.ask(paths.submitLead, question(examination));
		if (answer.status === 429)
			return warning('429: this address has sent too much', 'Wait as long as LEAD_RATE_LIMIT says, and look again.');
		if (answer.status !== wanted) return fault(`answered ${answer.status}, not ${wanted}`, PASS);
		const lack = more(answer);
		return lack === undefined ? ok(String(wanted)) : fault(`${wanted} ${lack}`, PASS);
	};

/** RFC 9457 */
const problemFault = ({ headers }: Answer) =>
	headers['content-type']?.startsWith('application/problem+json')
		? undefined
		: `as ${headers['content-type'] ?? 'no media type'}, not application/problem+json`;

const lacks = (header: string) => (answer: Answer) =>
	problemFault(answer) ?? (answer.headers[header] === undefined ? `without ${header}` : undefined);

const pageFault = ({ headers }: Answer) => (headers['content-type']?.startsWith('text/html') ? undefined : 'without a page');

async function preflight({ ask }: Examination): Promise<Verdict> {
	const headers = {
		origin: 'https://elsewhere.example',
		'access-control-request-method': 'POST',
		'access-control-request-headers': 'content-type',
	};
	const answer = await ask(paths.submitLead, { method: 'OPTIONS', headers });
	const said = (name: string) => answer.headers[`access-control-allow-${name}`] ?? '';
	const allowed = said('origin') === '*' && said('methods').includes('POST') && said('headers').includes('content-type');
	if (answer.status < 300 && allowed) return ok('pages of other origins may send JSON');
	return fault(`answered ${answer.status}${allowed ? '' : ', and allows no JSON from other origins'}`, PASS);
}

async function unknownOperation({ ask }: Examination): Promise<Verdict> {
	const answer = await ask('/api/no-such-operation');
	const lack = answer.status === 404 ? problemFault(answer) : 'is not 404';
	return lack === undefined ? ok('404') : fault(`${answer.status} ${lack}`, PASS);
}

const madeUpKey = refused(
	401,
	() => json('{}', { authorization: `Bearer ${newKey({ test: false })}` }),
	lacks('www-authenticate'),
);

/** What the API answers. Nothing that is sent here is a lead. */
export const operationChecks: Check[] = [
	{ name: 'API: status', look: status },
	{ name: 'API: version', look: runningVersion },
	{ name: 'API: clock', look: clock },
	{ name: 'API: empty lead', look: refused(422, () => json('{}')) },
	{ name: 'API: wrong method', look: refused(405, () => ({ method: 'PUT', body: '' }), lacks('allow')) },
	{ name: 'API: wrong media type', look: refused(415, () => ({ ...json('{}'), headers: { 'content-type': 'text/plain' } })) },
	{ name: 'API: too large', look: refused(413, () => json(JSON.stringify({ message: 'a'.repeat(BODY_LIMIT) }))) },
	{ name: 'API: unknown operation', look: unknownOperation },
	{ name: 'API: preflight', look: preflight },
	{ name: 'API: foreign form', look: refused(403, () => form('https://elsewhere.example')) },
	{ name: 'API: own form', look: refused(422, ({ origin }) => form(origin.origin), pageFault) },
	{ name: 'API: made-up key', look: service.keys === 'issued' ? madeUpKey : () => skipped('no keys are issued') },
];
