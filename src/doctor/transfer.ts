import { isAsset } from './build.ts';
import { servedDocuments, type Served, takesCompressed } from './document-answers.ts';
import { checkEach } from './documents.ts';
import type { Check, Examination } from './examination.ts';
import { DEPLOY, fault, HEADERS, okIfNone, ok, nameSome, warning } from './verdict.ts';

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

/** Checks of the transfer of documents. */
export const transferChecks: Check[] = [
	{ name: 'documents: compression', look: areCompressed },
	{ name: 'documents: Vary', look: checkEach('told apart by encoding', varyFault, HEADERS) },
	{ name: 'documents: ETag', look: areValidated },
	{ name: 'documents: Markdown', look: inMarkdown },
];
