import { newKey } from '../keys/key.ts';
import { BODY_LIMIT } from '../lead/intake/submission.ts';
import { paths } from '../service/links.ts';
import { service } from '../service/load.ts';
import type { Check } from './check.ts';
import type { Examination } from './examination.ts';
import type { Answer, Question } from './origin.ts';
import { PASS } from './advice.ts';
import { fault, ok, skipped, type Verdict, warning } from './verdict.ts';

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
