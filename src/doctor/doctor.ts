import { isIP } from 'node:net';
import { ArgumentError, type Program, type Report, type Terminal } from '../command/command.ts';
import { table } from '../command/printing.ts';
import { paths } from '../facts/links.ts';
import { readBuild } from './build.ts';
import { type Check, type DoctorSettings, type Examination, fault, type Finding, type Outcome, reasonOf } from './check.ts';
import { checks } from './checks.ts';
import { fetchDocuments } from './documents.ts';
import { type Address, askerOf } from './origin.ts';

/** Checks that the deployment serves what the build made, and works. */
export const doctor: Program<DoctorNeeds> = {
	script: 'doctor',
	purpose: 'Looks whether what is deployed is what was built, and works, and says what to do',
	local: 'As in leads; what is looked at is the same with it.',
	operands:
		'ORIGIN is scheme and host, as in SITE_URL: https://www.example.com. Nothing is sent to the sales team without --lead.',
	needs: (settings) => ({ settings }),
	describe: (program, run) =>
		void program
			.argument('<ORIGIN>')
			.option('--lead', 'Send one lead that is marked as a test, and say what became of it.')
			.option(
				'--at <ADDRESS>',
				'Connect to this host, with :PORT where it is another, and not to where the DNS leads: before it leads there.',
			)
			.option(
				'--function-url <URL>',
				'See to it that a function behind CloudFront answers nobody at this address, which is its own.',
			)
			.action((operand, values) => run(examine, { operand, values })),
};

interface DoctorNeeds {
	settings: DoctorSettings;
}

interface Arguments {
	operand: string;
	values: { lead?: true; at?: string; functionUrl?: string };
}

/** A finding with the name of its check. */
interface NamedFinding extends Finding {
	check: string;
}

/** In milliseconds: the time limit of an examination. */
const LONGEST = 300_000;

/** `doctor ORIGIN` */
async function examine({ operand, values, settings, program, progress }: Terminal & DoctorNeeds & Arguments): Promise<Report> {
	const origin = originFrom(operand);
	const address = addressFrom(values.at);
	const functionUrl = functionUrlFrom(values.functionUrl);
	const build = readBuild();
	const ask = askerOf(origin, address, AbortSignal.timeout(LONGEST));
	const examination: Examination = {
		origin,
		address,
		functionUrl,
		build,
		ask,
		silence: once(() => ask(paths.getStatus).then(() => undefined, reasonOf)),
		answers: once(() => fetchDocuments(build, ask)),
		settings,
		leads: program.replace(/doctor(?=[^/]*$)/, 'leads'),
		lead: values.lead === true,
	};
	const findings: NamedFinding[] = [];
	for (const [at, check] of checks.entries()) {
		progress(`${at + 1} of ${checks.length}: ${check.name}`);
		findings.push({ check: check.name, ...(await findingOf(check, examination)) });
	}
	return reportOf(origin, findings);
}

function once<Result>(work: () => Result): () => Result {
	let done: { result: Result } | undefined;
	return () => (done ??= { result: work() }).result;
}

async function findingOf({ look }: Check, examination: Examination): Promise<Finding> {
	try {
		return await look(examination);
	} catch (error) {
		return fault(reasonOf(error), 'See to it that it can be reached from this machine, and look again.');
	}
}

function originFrom(text: string): URL {
	const url = URL.parse(text);
	if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)) return url;
	throw new ArgumentError(`${text} is no origin: scheme and host, without a path, for example https://www.example.com.`);
}

function functionUrlFrom(text: string | undefined): URL | undefined {
	const url = text === undefined ? undefined : URL.parse(text);
	if (url && /^https?:$/.test(url.protocol)) return url;
	if (text === undefined) return undefined;
	throw new ArgumentError('--function-url is a URL, for example --function-url https://abc.lambda-url.eu-central-1.on.aws.');
}

/** `192.0.2.1`, `192.0.2.1:8443`, `[2001:db8::1]:8443`, `localhost` */
function addressFrom(text: string | undefined): Address | undefined {
	if (text === undefined) return undefined;
	if (isIP(text) > 0) return { host: text, port: undefined };
	const [, host, port] = /^(\[.*\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
	if (host === undefined)
		throw new ArgumentError('--at is a host or an address, for example --at 192.0.2.1 or --at localhost:4321.');
	return { host: host.replaceAll(/[[\]]/g, ''), port: port === undefined ? undefined : Number(port) };
}

const words: Record<Outcome, string> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

/** The run succeeds if nothing is at fault. */
function reportOf({ origin }: URL, findings: NamedFinding[]): Report {
	const count = (wanted: Outcome) => findings.filter(({ outcome }) => outcome === wanted).length;
	const counts = { ok: count('ok'), warning: count('warning'), fault: count('fault'), skipped: count('skipped') };
	const rows = findings.flatMap(rowsOf);
	const summary = `${origin}: ${counts.ok} ok, ${counts.warning} to look at, ${counts.fault} at fault, ${counts.skipped} not looked at.`;
	return {
		done: counts.fault === 0,
		data: { origin, counts, checks: findings },
		text: `${table(['', 'Check', 'Found'], rows)}\n\n${summary}`,
	};
}

const rowsOf = ({ check, outcome, found, advice }: NamedFinding) => [
	[words[outcome], check, found],
	...(advice === undefined ? [] : [{ under: `       ${advice}` }]),
];
