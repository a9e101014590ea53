import type { Check } from './check.ts';
import { fault, noneOf, ok, some, warning } from './verdict.ts';
import { isAsset } from './build.ts';
import { type DocumentAnswer, type Served, served, takesCompressed } from './document-answers.ts';
import type { Examination } from './examination.ts';

const DEPLOY = 'Deploy all of the build that this program lies in, and let no cache keep what was there before.';
const HEADERS = 'Let the host send what the build declares for it: the hosts’ README says where that lies for yours.';

/** A check of every document that is there: what is at fault with one, or undefined. */
const each = (good: string, faultOf: (document: Served) => string | undefined, advice: string) => async (ex: Examination) => {
	const documents = served(await ex.answers());
	const faults = documents.flatMap((document) => {
		const fault = faultOf(document);
		return fault === undefined ? [] : [`${document.file.path}: ${fault}`];
	});
	return noneOf(faults, `${documents.length} ${good}`, advice);
};

async function areThere({ answers }: Examination) {
	const all = await answers();
	const missing = all.flatMap((document) => absenceOf(document) ?? []);
	return noneOf(missing, `${all.length} of ${all.length}`, DEPLOY);
}

function absenceOf({ file, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string') return `${file.path}: ${answer}`;
	return answer.status === 200 ? undefined : `${file.path}: ${answer.status}`;
}

function typeFault({ file, answer }: Served): string | undefined {
	const [declared, sent] = [file.headers['content-type'], answer.headers['content-type']];
	return plain(sent) === plain(declared) ? undefined : `${sent ?? 'none'}, not ${declared}`;
}

/** A media type without what may be written in two ways (RFC 9110 section 8.3.1). */
const plain = (type = '') => type.toLowerCase().replaceAll(/["\s]/g, '').replace('text/javascript', 'application/javascript');

/** Looked at by themselves; what a host says of encodings is its own. */
const elsewhere = new Set(['content-type', 'vary', 'strict-transport-security']);

function headerFault({ file, answer }: Served): string | undefined {
	const wrong = Object.entries(file.headers).filter(
		([name, value]) => !elsewhere.has(name) && spaceless(answer.headers[name]) !== spaceless(value),
	);
	return wrong.length === 0
		? undefined
		: wrong.map(([name]) => (answer.headers[name] === undefined ? `no ${name}` : `another ${name}`)).join(' and ');
}

const spaceless = (value = '') => value.replaceAll(/\s+/g, '');

const bytesFault = ({ file, content }: Served) => (content?.equals(file.content) ? undefined : 'other bytes');

const isEncoded = ({ answer }: Served) => (answer.headers['content-encoding'] ?? 'identity') !== 'identity';

/** A cache would give what is compressed to who cannot read it (RFC 9110 section 12.5.5). */
const varyFault = (document: Served) =>
	isEncoded(document) && !/accept-encoding|\*/i.test(document.answer.headers['vary'] ?? '') ? 'no Vary' : undefined;

async function areCompressed({ answers }: Examination) {
	const worthIt = served(await answers()).filter(({ file }) => Object.keys(file.bodies).length > 1);
	const plain = worthIt.filter((document) => !isEncoded(document)).map(({ file }) => file.path);
	if (plain.length === 0) return ok(`${worthIt.length} that are worth it`);
	return warning(`sent as they are: ${some(plain)}`, 'Let the host compress text: pages come several times as fast.');
}

async function areValidated({ answers, ask }: Examination) {
	const documents = served(await answers()).filter(({ file }) => !isAsset(file));
	const [tagged, untagged] = [true, false].map((has) => documents.filter(({ answer }) => 'etag' in answer.headers === has));
	const statuses = await Promise.all(
		tagged!.map(async ({ file, answer }) => {
			const headers = { ...takesCompressed, 'if-none-match': answer.headers['etag'] };
			return { path: file.path, status: (await ask(file.path, { headers })).status };
		}),
	);
	const resent = statuses.filter(({ status }) => status !== 304).map(({ path, status }) => `${path}: ${status}, not 304`);
	const missing = untagged!.map(({ file }) => `${file.path}: no ETag`);
	const advice = 'Let host and proxy pass ETag and If-None-Match on: until then every visit loads everything again.';
	return noneOf([...missing, ...resent], `${documents.length} that are asked for again are answered 304`, advice);
}

async function inMarkdown({ build: { documents }, ask }: Examination) {
	const [path, { markdown }] = [...documents].find(([, file]) => file.markdown !== undefined)!;
	const { headers, body } = await ask(path, { headers: { accept: 'text/markdown', 'accept-encoding': 'identity' } });
	if (!headers['content-type']?.startsWith('text/markdown'))
		return ok(`at addresses with .md only: this host does not look at Accept`);
	if (!documents.get(markdown!)!.content.equals(body)) return fault(`${path} in Markdown: other bytes`, DEPLOY);
	if (/\baccept\b(?!-)|\*/i.test(headers['vary'] ?? '')) return ok('by Accept, and at addresses with .md');
	return fault(`${path} has two forms and no Vary: Accept`, 'Let the host send Vary: without it, caches give browsers Markdown.');
}

/** What was built: whether it is there, and as it was built. */
export const documentChecks: Check[] = [
	{ name: 'documents', look: areThere },
	{ name: 'documents: media types', look: each('as declared', typeFault, HEADERS) },
	{ name: 'documents: headers', look: each('with those declared', headerFault, HEADERS) },
	{ name: 'documents: bytes', look: each('the same as built', bytesFault, DEPLOY) },
	{ name: 'documents: compression', look: areCompressed },
	{ name: 'documents: Vary', look: each('told apart by encoding', varyFault, HEADERS) },
	{ name: 'documents: ETag', look: areValidated },
	{ name: 'documents: Markdown', look: inMarkdown },
];
