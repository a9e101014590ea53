import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { paths } from '../facts/links.ts';
import { type Build, type BuiltFile, isAsset } from './build.ts';
import type { Check, DocumentAnswer, Examination, Finding, Served } from './check.ts';
import { daysUntil, DEPLOY, expiring, fault, HEADERS, nameSome, ok, okIfNone, reasonOf, remaining, warning } from './check.ts';
import type { Answer, Ask } from './origin.ts';

/** The codings that a browser accepts. */
const takesCompressed = { 'accept-encoding': 'br, gzip' };

/** Asks for every document once. */
export const fetchDocuments = ({ documents }: Build, ask: Ask): Promise<DocumentAnswer[]> =>
	Promise.all([...documents.values()].map((file) => answerFor(file, ask).catch((error) => ({ file, failure: reasonOf(error) }))));

async function answerFor(file: BuiltFile, ask: Ask): Promise<Served> {
	const answer = await ask(file.path, { headers: takesCompressed });
	return { file, answer, content: contentOf(answer, file) };
}

/** Returns the documents that were answered 200. */
const servedDocuments = (answers: DocumentAnswer[]): Served[] =>
	answers.flatMap((document) => ('answer' in document && document.answer.status === 200 ? [document] : []));

const decoders: Record<string, typeof gunzipSync> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Decodes at most one byte more than the build made: a longer body differs anyway. */
function contentOf({ headers, body }: Answer, { content }: BuiltFile): Buffer | undefined {
	const encoding = headers['content-encoding'] ?? 'identity';
	if (encoding === 'identity') return body;
	try {
		return decoders[encoding]?.(body, { maxOutputLength: content.length + 1 });
	} catch {
		return undefined;
	}
}

/** Makes a check of every document. `faultOf` says what is wrong with one, or returns undefined. */
const checkEach =
	(good: string, faultOf: (document: Served) => string | undefined, advice: string) => async (ex: Examination) => {
		const documents = servedDocuments(await ex.answers());
		const faults = documents.flatMap((document) => {
			const fault = faultOf(document);
			return fault === undefined ? [] : [`${document.file.path}: ${fault}`];
		});
		return okIfNone(faults, `${documents.length} ${good}`, advice);
	};

async function areThere({ answers }: Examination) {
	const all = await answers();
	const missing = all.flatMap((document) => absenceOf(document) ?? []);
	return okIfNone(missing, `${all.length} of ${all.length}`, DEPLOY);
}

function absenceOf(document: DocumentAnswer): string | undefined {
	const came = 'answer' in document ? document.answer.status : document.failure;
	return came === 200 ? undefined : `${document.file.path}: ${came}`;
}

function typeFault({ file, answer }: Served): string | undefined {
	const [declared, sent] = [file.headers['content-type'], answer.headers['content-type']];
	return plain(sent) === plain(declared) ? undefined : `${sent ?? 'none'}, not ${declared}`;
}

/** Normalises a media type, which has several spellings (RFC 9110 section 8.3.1). */
const plain = (type = '') => type.toLowerCase().replaceAll(/["\s]/g, '').replace('text/javascript', 'application/javascript');

/** Other checks look at these. The host sets `Vary` for encodings itself. */
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

/** Without Vary a cache gives compressed answers to clients that cannot read them (RFC 9110 section 12.5.5). */
const varyFault = (document: Served) =>
	isEncoded(document) && !/accept-encoding|\*/i.test(document.answer.headers['vary'] ?? '') ? 'no Vary' : undefined;

async function areCompressed({ answers }: Examination) {
	// gzip is the one coding that every host has.
	const worthIt = servedDocuments(await answers()).filter(({ file }) => 'gzip' in file.bodies);
	const plain = worthIt.filter((document) => !isEncoded(document)).map(({ file }) => file.path);
	if (plain.length === 0) return ok(`${worthIt.length} that are worth it`);
	return warning(`sent as they are: ${nameSome(plain)}`, 'Let the host compress text: pages come several times as fast.');
}

async function areValidated({ answers, ask }: Examination) {
	const documents = servedDocuments(await answers()).filter(({ file }) => !isAsset(file));
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
	return okIfNone([...missing, ...resent], `${documents.length} that are asked for again are answered 304`, advice);
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

const BUILD = 'Build and deploy again.';

/** RFC 9116 section 2.5.5 */
async function securityTxt({ ask }: Examination): Promise<Finding> {
	const { status, body } = await ask(paths.securityTxt, { headers: { 'accept-encoding': 'identity' } });
	const expires = /^Expires: (.*)$/m.exec(body.toString())?.[1];
	if (status !== 200 || expires === undefined) return fault(`answered ${status}, and says no day`, BUILD);
	const days = daysUntil(new Date(expires));
	if (!(days >= 0)) return fault(remaining(-1), BUILD);
	return expiring(days, remaining(days), BUILD);
}

/** Checks that every document of the build is there, unchanged, and sent well. */
export const documentChecks: Check[] = [
	{ name: 'documents', look: areThere },
	{ name: 'documents: media types', look: checkEach('as declared', typeFault, HEADERS) },
	{ name: 'documents: headers', look: checkEach('with those declared', headerFault, HEADERS) },
	{ name: 'documents: bytes', look: checkEach('the same as built', bytesFault, DEPLOY) },
	{ name: 'documents: compression', look: areCompressed },
	{ name: 'documents: Vary', look: checkEach('told apart by encoding', varyFault, HEADERS) },
	{ name: 'documents: ETag', look: areValidated },
	{ name: 'documents: Markdown', look: inMarkdown },
	{ name: 'security.txt', look: securityTxt },
];
