import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isNotFoundPage, type Manifest } from '../server/files/manifest.ts';
import type { Ask, Build, BuiltFile, Check, DocumentAnswer, Examination } from './check.ts';
import { fault, ok, reasonOf, warning } from './check.ts';

/**
 * Reads the build that lies beside this program.
 *
 * @param server the folder of the programs: the build puts this module into `chunks` in it
 */
export function readBuild(server = new URL('..', import.meta.url)): Build {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const files = Object.entries(manifest).map(([path, entry]): BuiltFile =>
		Object.assign(entry, { path, content: bytes.subarray(...entry.bodies.identity!) }),
	);
	return { documents: files.filter(({ path }) => !isNotFoundPage(path)), notFound: files.find(({ path }) => path === '/404')! };
}

/** The number of concurrent requests. */
const AT_ONCE = 6;

/** Asks for every document once. */
export async function fetchDocuments({ documents }: Build, ask: Ask): Promise<DocumentAnswer[]> {
	const answers: DocumentAnswer[] = [];
	const files = documents.values();
	const askInTurn = async () => {
		for (const file of files) answers.push({ file, answer: await ask(file.path).catch(reasonOf) });
	};
	await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
	return answers;
}

/** Makes a check of every document. `faultOf` says what is wrong with an answer, or returns undefined. */
const checkEach =
	(good: string, faultOf: (document: DocumentAnswer) => string | undefined, advice: string) =>
	({ documents }: Examination) => {
		const faults = documents.flatMap((document) => {
			const fault = faultOf(document);
			return fault === undefined ? [] : [`${document.file.path}: ${fault}`];
		});
		if (faults.length === 0) return ok(`${documents.length} ${good}`);
		const more = faults.length > NAMED ? ` and ${faults.length - NAMED} more` : '';
		return fault(faults.slice(0, NAMED).join(', ') + more, advice);
	};

/** A list names so many faults and counts the rest. */
const NAMED = 3;

function bytesFault({ file, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string') return answer;
	if (answer.status !== 200) return String(answer.status);
	return answer.body.equals(file.content) ? undefined : 'other bytes';
}

function headersFault({ file, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string' || answer.status !== 200) return undefined;
	const sent = (name: string) => answer.headers.get(name);
	// Hosts add to Vary for the encodings that they have.
	const wrong = Object.entries(file.headers).filter(([name, value]) => name !== 'vary' && plain(sent(name)) !== plain(value));
	const faults = wrong.map(([name]) => (sent(name) === null ? `no ${name}` : `${name} is ${sent(name)}`));
	return faults.length === 0 ? undefined : faults.join(' and ');
}

/** Takes away what changes nothing: a media type has several spellings (RFC 9110 section 8.3.1). */
const plain = (value: string | null) =>
	value?.toLowerCase().replaceAll(/["\s]/g, '').replace('text/javascript', 'application/javascript');

async function unknownAddress({ build: { notFound }, ask }: Examination) {
	const { status, body } = await ask(`/${randomUUID()}`);
	const advice = `Let the host answer 404 with /${notFound.file} where there is no document.`;
	if (status !== 404) return fault(`answered ${status}, not 404`, `${advice} Search engines index the rest.`);
	return body.equals(notFound.content) ? ok('404 with our page') : warning('404 with another page than ours', advice);
}

/** Checks that every document of the build is there, with its bytes and headers, and nothing where there is none. */
export const documentChecks: Check[] = [
	{
		name: 'documents: bytes',
		look: checkEach(
			'the same as built',
			bytesFault,
			'Deploy all of the build that this program lies in, and let no cache keep what was there before.',
		),
	},
	{
		name: 'documents: headers',
		look: checkEach(
			'with those declared',
			headersFault,
			'Let the host send what the build declares: src/hosts/README.md says in which file that is for yours.',
		),
	},
	{ name: 'documents: unknown address', look: unknownAddress },
];
