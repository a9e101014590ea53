import * as z from 'zod';
import { paths } from '../facts/links.ts';
import { service, version } from '../facts/load.ts';
import { statusSchema } from '../operations/status.ts';
import { type Check, type Examination, fault, type Finding, ok, warning } from './check.ts';

/** Advice where an answer of the API is not ours. */
const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';

const exactly = z.strictObject(statusSchema.shape);

async function status({ ask }: Examination): Promise<Finding> {
	const { status: code, body } = await ask(paths.getStatus);
	if (code !== 200) return fault(`answered ${code}`, PASS);
	const said = body.toString();
	const { data } = z.preprocess(jsonIn, exactly).safeParse(said);
	if (data === undefined) return fault(`not exactly ${Object.keys(exactly.shape).join(', ')}: ${said.slice(0, 200)}`, PASS);
	if (data.version === version && data.service === service.identifier) return ok(version);
	return fault(
		`${data.service} ${data.version} runs, and ${service.identifier} ${version} was built`,
		'Deploy server or function of this build too, and start it again.',
	);
}

function jsonIn(text: unknown): unknown {
	try {
		return JSON.parse(String(text));
	} catch {
		return undefined;
	}
}

/** Checks that the leads’ address refuses a request that is no lead, with this status and media type. */
const refused =
	(wanted: number, type: string, question: (origin: URL) => RequestInit) =>
	async ({ ask, origin }: Examination): Promise<Finding> => {
		const answer = await ask(paths.submitLead, { method: 'POST', ...question(origin) });
		if (answer.status === 429)
			return warning('429: this address has sent too much', 'Wait as long as LEAD_RATE_LIMIT says, and look again.');
		const found = `${answer.status} as ${answer.headers.get('content-type')}`;
		return found.startsWith(`${wanted} as ${type}`) ? ok(found) : fault(`${found}, not ${wanted} as ${type}`, PASS);
	};

const problem = 'application/problem+json';
const json = () => ({ headers: { 'content-type': 'application/json' }, body: '{}' });
/** Never becomes a lead, wherever it arrives. */
const form = (sender: string) => ({
	headers: { 'content-type': 'application/x-www-form-urlencoded', origin: sender },
	body: 'name=',
});

/** Checks of the API’s answers. None of them sends a lead. */
export const apiChecks: Check[] = [
	{ name: 'API: status', look: status },
	{ name: 'API: empty lead', look: refused(422, problem, json) },
	{ name: 'API: own form', look: refused(422, 'text/html', ({ origin }) => form(origin)) },
	{ name: 'API: foreign form', look: refused(403, problem, () => form('https://elsewhere.example')) },
];
