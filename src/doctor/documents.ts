import { type DocumentAnswer, servedDocuments, type Served } from './document-answers.ts';
import type { Check, Examination } from './examination.ts';
import { DEPLOY, HEADERS, okIfNone } from './verdict.ts';

/** Makes a check of every document. `faultOf` says what is wrong with one, or returns undefined. */
export const checkEach =
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

/** Checks that every document of the build is there and unchanged. */
export const documentChecks: Check[] = [
	{ name: 'documents', look: areThere },
	{ name: 'documents: media types', look: checkEach('as declared', typeFault, HEADERS) },
	{ name: 'documents: headers', look: checkEach('with those declared', headerFault, HEADERS) },
	{ name: 'documents: bytes', look: checkEach('the same as built', bytesFault, DEPLOY) },
];
