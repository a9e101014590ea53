import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { paths } from '../../facts/links.ts';
import { service, version } from '../../facts/load.ts';
import { statusSchema } from '../../api/operations.ts';
import { type Checks, type Examination, fault, type Finding, ok, warning } from './examination.ts';

type DocumentAnswer = Awaited<Examination['documents']>[number];

/** A list names so many faults and counts the rest. */
const NAMED = 3;

/** Makes a check of every document. `faultOf` says what is wrong with an answer, or returns undefined. */
const ofEach =
	(good: string, faultOf: (document: DocumentAnswer) => string | undefined, advice: string) =>
	async (examination: Examination) => {
		const documents = await examination.documents;
		const found = documents.map((document) => ({ path: document.path, fault: faultOf(document) }));
		const faults = found.filter(({ fault }) => fault !== undefined).map(({ path, fault }) => `${path}: ${fault}`);
		if (faults.length === 0) return ok(`${documents.length} ${good}`);
		const more = faults.length > NAMED ? ` and ${faults.length - NAMED} more` : '';
		return fault(faults.slice(0, NAMED).join(', ') + more, advice);
	};

function bytesFault({ content, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string') return answer;
	if (answer.status !== 200) return String(answer.status);
	return answer.body.equals(content) ? undefined : 'other bytes';
}

function headersFault({ headers, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string' || answer.status !== 200) return undefined;
	const faults = Object.entries(headers).flatMap(([name, value]) => {
		const sent = answer.headers.get(name);
		// Hosts add to Vary for the encodings that they have.
		if (name === 'vary' || plain(sent) === plain(value)) return [];
		return sent === null ? `no ${name}` : `${name} is ${sent}`;
	});
	return faults.length === 0 ? undefined : faults.join(' and ');
}

/** Takes away what changes nothing: a media type has several spellings (RFC 9110 section 8.3.1). */
const plain = (value: string | null) =>
	value?.toLowerCase().replaceAll(/["\s]/g, '').replace('text/javascript', 'application/javascript');

async function unknownAddress({ notFound, ask }: Examination) {
	const { status, body } = await ask(`/${randomUUID()}`);
	const advice = `Let the host answer 404 with /${notFound.file} where there is no document.`;
	if (status !== 404) return fault(`answered ${status}, not 404`, `${advice} Search engines index the rest.`);
	return body.equals(notFound.content) ? ok('404 with our page') : warning('404 with another page than ours', advice);
}

/** Advice where an answer of the API is not ours. */
const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';

const exactly = z.strictObject(statusSchema.shape);

async function status({ ask }: Examination): Promise<Finding> {
	const { status: code, body } = await ask(paths.getStatus);
	if (code !== 200) return fault(`answered ${code}`, PASS);
	const { data } = exactly.safeParse(await new Response(body).json().catch(() => undefined));
	if (data === undefined)
		return fault(`not exactly ${Object.keys(exactly.shape).join(', ')}: ${body.toString().slice(0, 200)}`, PASS);
	if (data.version === version && data.service === service.identifier) return ok(version);
	return fault(
		`${data.service} ${data.version} runs, and ${service.identifier} ${version} was built`,
		'Deploy server or function of this build too, and start it again.',
	);
}

/** Sends to the leads’ address what never becomes a lead, wherever it arrives, and expects this status and media type. */
const refused =
	(wanted: string, contentType: string, body: string, sender?: string) =>
	async ({ ask, origin }: Examination): Promise<Finding> => {
		const headers = { 'content-type': contentType, origin: sender ?? origin.origin };
		const answer = await ask(paths.submitLead, { method: 'POST', headers, body });
		if (answer.status === 429)
			return warning('429: this address has sent too much', 'Wait as long as LEAD_RATE_LIMIT says, and look again.');
		const found = `${answer.status} as ${answer.headers.get('content-type')}`;
		return found.startsWith(wanted) ? ok(found) : fault(`${found}, not ${wanted}`, PASS);
	};

const FORM = 'application/x-www-form-urlencoded';

/**
 * Checks of the origin's answers: every document of the build is there, with its bytes and headers, and nothing where there is none;
 * and the API answers. None of them sends a lead.
 */
export const answerChecks: Checks = {
	'origin: answers': ({ answers }) => answers.then(() => ok('answers')),
	'documents: bytes': ofEach(
		'the same as built',
		bytesFault,
		'Deploy all of the build that this program lies in, and let no cache keep what was there before.',
	),
	'documents: headers': ofEach(
		'with those declared',
		headersFault,
		'Let the host send what the build declares: src/hosts/README.md says in which file that is for yours.',
	),
	'documents: unknown address': unknownAddress,
	'API: status': status,
	'API: empty lead': refused('422 as application/problem+json', 'application/json', '{}'),
	'API: own form': refused('422 as text/html', FORM, 'name='),
	'API: foreign form': refused('403 as application/problem+json', FORM, 'name=', 'https://elsewhere.example'),
};
