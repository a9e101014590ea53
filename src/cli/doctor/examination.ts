import { readFileSync } from 'node:fs';
import { type Call, Failure } from '../command.ts';
import { failureOf } from '../../channels/channel.ts';
import { paths } from '../../facts/links.ts';
import { isNotFoundPage, type Manifest } from '../../server/manifest.ts';
import { StoreError } from '../../store/store.ts';

export interface Finding {
	/** `warning`: it works, and the operator should look. `fault`: it differs from the build or does not work. `skipped`: not checked. */
	outcome: 'ok' | 'warning' | 'fault' | 'skipped';
	/** The finding, on one line. */
	found: string;
	advice?: string;
	/** The name of the check, if it has found another fault than its own. */
	check?: string;
}

export const ok = (found: string): Finding => ({ outcome: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({ outcome: 'warning', found, advice });
export const fault = (found: string, advice: string): Finding => ({ outcome: 'fault', found, advice });
export const skipped = (found: string): Finding => ({ outcome: 'skipped', found });

/** Returns the finding of a check that threw. */
export function findingOf(error: unknown): Finding {
	if (error instanceof Failure) return skipped(error.message.split('\n', 1)[0]!);
	if (error instanceof StoreError) return fault(error.message, 'Do what the line above says, and look again.');
	const failure = error instanceof TypeError && error.cause !== undefined ? failureOf(error.cause) : undefined;
	return failure?.outlook === 'lasting'
		? fault(failure.reason, 'See to the certificate of the proxy, and to its port.')
		: fault(reasonOf(error), 'See to it that the server runs, and that this machine can reach it.');
}

/** Returns the message of an exception on one line. `fetch` has it in the cause. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
	return /^(Abort|Timeout)Error$/.test(error.name) ? 'no answer in time' : error.message.replaceAll(/\s+/g, ' ');
}

export type Examination = ReturnType<typeof openExamination>;

/** Opens everything that checks look at. A part that cannot be opened rejects, so that a check that waits for it says why. */
export function openExamination(call: Call, origin: URL) {
	const settings = call.settings();
	const build = readBuild();
	const ask = askerOf(origin);
	const answers = ask(paths.getStatus);
	const reached = answers.catch(() => {
		throw new Failure('the origin does not answer');
	});
	return {
		origin,
		answers,
		/** Requests a path of the origin, and follows no redirect. */
		ask: (...request: Parameters<typeof ask>) => reached.then(() => ask(...request)),
		/** Each file of the build that has an address of its own, with the origin's answer, or why it did not answer. */
		documents: reached.then(() => fetchDocuments(build, ask)),
		/** The page of the build that answers all other addresses. */
		notFound: build.find(({ path }) => path === '/404')!,
		settings,
		store: call.openStore(),
		/** The command of the leads program: `npm run leads --`. */
		leads: call.program.replace(/doctor(?=[^/]*$)/, 'leads'),
	};
}

/** Reads the files of the build that this program belongs to. Their content is without a content coding. */
function readBuild() {
	// The build puts this module into `chunks` in the folder of the programs.
	const server = new URL('..', import.meta.url);
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	return Object.entries(manifest).map(([path, entry]) =>
		Object.assign(entry, { path, content: bytes.subarray(...entry.bodies.identity!) }),
	);
}

/** Returns a function that asks this origin: 15 seconds for each answer, and five minutes for all. */
export function askerOf(origin: URL) {
	const deadline = AbortSignal.timeout(300_000);
	return async (path: string, request?: RequestInit) => {
		const signal = AbortSignal.any([deadline, AbortSignal.timeout(15_000)]);
		const answer = await fetch(new URL(path, origin), { redirect: 'manual', signal, ...request });
		return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
	};
}

export type Asker = ReturnType<typeof askerOf>;

async function fetchDocuments(build: ReturnType<typeof readBuild>, ask: Asker) {
	const files = build.filter(({ path }) => !isNotFoundPage(path)).values();
	const askInTurn = () => Array.fromAsync(files, async (file) => ({ ...file, answer: await ask(file.path).catch(reasonOf) }));
	return (await Promise.all(Array.from({ length: 6 }, askInTurn))).flat();
}
