import { newKey } from '../keys/key.ts';
import { BODY_LIMIT } from '../lead/intake/read-submission.ts';
import { allowOf } from '../operations/answer.ts';
import { type Operation, operations } from '../operations/operations.ts';
import { paths } from '../facts/links.ts';
import { service, version } from '../facts/load.ts';
import { statusSchema } from '../operations/status.ts';
import { type Check, type Examination, fault, type Finding, ok, okIfNone, PASS, skipped, warning } from './check.ts';
import type { Answer, Question } from './origin.ts';

/** In milliseconds: the allowed error of the clock. */
const CLOCK_ERROR = 60_000;

const members = namesOf(statusSchema.shape);

function namesOf(value: object): string {
	return Object.keys(value).toSorted().join(', ');
}

/** Returns the members of the status, or says what came instead. */
async function statusOf({ ask }: Examination): Promise<Record<string, unknown> | string> {
	const { status, headers, body } = await ask(paths.getStatus);
	if (status !== 200) return `answered ${status}`;
	if (!headers['content-type']?.startsWith('application/json')) return `${headers['content-type']}, not application/json`;
	return objectIn(body.toString()) ?? 'no JSON object';
}

/** Returns the members of a JSON object, or undefined if the text is none. */
function objectIn(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}

async function status(examination: Examination): Promise<Finding> {
	const found = await statusOf(examination);
	if (typeof found === 'string') return fault(found, PASS);
	const right = namesOf(found) === members && statusSchema.safeParse(found).success;
	return right ? ok(members) : fault(`${namesOf(found)}, not exactly ${members}`, PASS);
}

async function runningVersion(examination: Examination): Promise<Finding> {
	const found = await statusOf(examination);
	const running = typeof found === 'string' ? found : found['version'];
	if (running === version && typeof found !== 'string' && found['service'] === service.identifier) return ok(version);
	return fault(
		`${String(running)} runs, and ${version} was built`,
		'Deploy server or function of this build too, and start it again.',
	);
}

async function clock(examination: Examination): Promise<Finding> {
	const before = Date.now();
	const found = await statusOf(examination);
	const now = (before + Date.now()) / 2;
	const off = typeof found === 'string' ? NaN : Date.parse(String(found['time'])) - now;
	if (Math.abs(off) <= CLOCK_ERROR) return ok('within a minute of this machine’s');
	const much = Number.isNaN(off)
		? 'says no time'
		: `is ${Math.round(Math.abs(off) / 1000)} seconds ${off > 0 ? 'ahead' : 'behind'}`;
	return fault(
		`the server’s ${much}`,
		'Let NTP set the clock of the server, and of this machine: retries and keys depend on it.',
	);
}

const json = (body: string, headers: Question['headers'] = {}): Question => ({
	method: 'POST',
	headers: { 'content-type': 'application/json', ...headers },
	body,
});
const form = (sender: string): Question => ({
	method: 'POST',
	headers: { 'content-type': 'application/x-www-form-urlencoded', origin: sender },
	// Never becomes a lead, wherever it arrives.
	body: 'name=',
});

/** Checks that the leads’ address refuses a request with this status. @param more says what the refusal lacks */
const refused =
	(
		wanted: number,
		question: (examination: Examination) => Question,
		more: (answer: Answer) => string | undefined = problemFault,
	) =>
	async (examination: Examination): Promise<Finding> => {
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

const missingHeaderFault = (header: string) => (answer: Answer) =>
	problemFault(answer) ?? (answer.headers[header] === undefined ? `without ${header}` : undefined);

const pageFault = ({ headers }: Answer) => (headers['content-type']?.startsWith('text/html') ? undefined : 'without a page');

async function preflight({ ask }: Examination): Promise<Finding> {
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

/** Calls a readable operation, and compares the answer with the published schema. */
async function read({ path, result }: Operation, { ask }: Examination): Promise<Finding> {
	const { status, headers, body } = await ask(path);
	if (status !== 200) return fault(`answered ${status}`, PASS);
	const isJson = headers['content-type']?.startsWith('application/json');
	const described = isJson && result.schema().safeParse(objectIn(body.toString())).success;
	return described ? ok('as OpenAPI describes it') : fault('other than OpenAPI describes it', PASS);
}

/** The status has checks of its own. */
const readable = operations.filter(({ methods, path }) => methods[0] === 'GET' && path !== paths.getStatus);

/** Calls each operation with a method that none has. */
async function wrongMethod({ ask }: Examination): Promise<Finding> {
	const faults = operations.map(async (operation) => {
		const answer = await ask(operation.path, { method: 'PUT', body: '' });
		if (answer.status !== 405) return `${operation.path} answered ${answer.status}, not 405`;
		const allow = allowOf(operation);
		const lack = problemFault(answer) ?? (answer.headers['allow'] === allow ? undefined : `without Allow: ${allow}`);
		return lack && `${operation.path}: 405 ${lack}`;
	});
	return okIfNone(
		(await Promise.all(faults)).filter((fault) => fault !== undefined),
		'405',
		PASS,
	);
}

async function unknownOperation({ ask }: Examination): Promise<Finding> {
	const answer = await ask('/api/no-such-operation');
	const lack = answer.status === 404 ? problemFault(answer) : 'is not 404';
	return lack === undefined ? ok('404') : fault(`${answer.status} ${lack}`, PASS);
}

const madeUpKey = refused(
	401,
	() => json('{}', { authorization: `Bearer ${newKey({ test: false })}` }),
	missingHeaderFault('www-authenticate'),
);

/** Checks of the API’s answers. None of them sends a lead. */
export const apiChecks: Check[] = [
	{ name: 'API: status', look: status },
	{ name: 'API: version', look: runningVersion },
	{ name: 'API: clock', look: clock },
	{ name: 'API: empty lead', look: refused(422, () => json('{}')) },
	...readable.map((operation) => ({ name: `API: ${operation.operationId}`, look: read.bind(undefined, operation) })),
	{ name: 'API: wrong method', look: wrongMethod },
	{ name: 'API: wrong media type', look: refused(415, () => ({ ...json('{}'), headers: { 'content-type': 'text/plain' } })) },
	{ name: 'API: too large', look: refused(413, () => json(JSON.stringify({ message: 'a'.repeat(BODY_LIMIT) }))) },
	{ name: 'API: unknown operation', look: unknownOperation },
	{ name: 'API: preflight', look: preflight },
	{ name: 'API: foreign form', look: refused(403, () => form('https://elsewhere.example')) },
	{ name: 'API: own form', look: refused(422, ({ origin }) => form(origin.origin), pageFault) },
	{ name: 'API: made-up key', look: service.keys === 'issued' ? madeUpKey : () => skipped('no keys are issued') },
];
