import { paths } from '../facts/links.ts';
import { service, version } from '../facts/load.ts';
import { statusSchema } from '../operations/status.ts';
import type { Check, Examination } from './examination.ts';
import { fault, ok, PASS, type Verdict } from './verdict.ts';

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
export function objectIn(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}

async function status(examination: Examination): Promise<Verdict> {
	const found = await statusOf(examination);
	if (typeof found === 'string') return fault(found, PASS);
	const right = namesOf(found) === members && statusSchema.safeParse(found).success;
	return right ? ok(members) : fault(`${namesOf(found)}, not exactly ${members}`, PASS);
}

async function runningVersion(examination: Examination): Promise<Verdict> {
	const found = await statusOf(examination);
	const running = typeof found === 'string' ? found : found['version'];
	if (running === version && typeof found !== 'string' && found['service'] === service.identifier) return ok(version);
	return fault(
		`${String(running)} runs, and ${version} was built`,
		'Deploy server or function of this build too, and start it again.',
	);
}

async function clock(examination: Examination): Promise<Verdict> {
	const before = Date.now();
	const found = await statusOf(examination);
	const now = (before + Date.now()) / 2;
	const off = typeof found === 'string' ? NaN : Date.parse(String(found['time'])) - now;
	if (Math.abs(off) <= CLOCK_ERROR) return ok('within a minute of this machine’s');
	const much = Number.isNaN(off)
		? 'says no time'
		: `is ${Math.round(Math.abs(off) / 1000)} seconds ${off > 0 ? 'ahead' : 'behind'}`;
	return fault(`the server’s ${much}`, 'Let NTP set the clock of the server, and of this machine: retries and keys go by it.');
}

/** Checks of the health check's answer. */
export const statusChecks: Check[] = [
	{ name: 'API: status', look: status },
	{ name: 'API: version', look: runningVersion },
	{ name: 'API: clock', look: clock },
];
