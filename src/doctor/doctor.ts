import { isIP } from 'node:net';
import { ArgumentError, type Program, type Report, type Terminal } from '../command/command.ts';
import { table } from '../command/printing.ts';
import { paths } from '../facts/links.ts';
import { origin as builtFor } from '../facts/load.ts';
import { apiChecks } from './api.ts';
import { askerOf, type Check, type DoctorSettings, type Examination, type Finding, type Outcome } from './check.ts';
import { fault, ok, reasonOf, skipped } from './check.ts';
import { leadCheck, mailCheck } from './delivery.ts';
import { documentChecks, fetchDocuments, readBuild } from './documents.ts';
import { storeChecks } from './store.ts';

/** Checks that the deployment serves what the build made, and works. */
export const doctor: Program<DoctorNeeds> = {
	script: 'doctor',
	purpose: 'Looks whether what is deployed is what was built, and works, and says what to do',
	local: 'As in leads; what is looked at is the same with it.',
	operands:
		'ORIGIN is scheme and host, as in SITE_URL: https://www.example.com; or http://localhost:4321, on the machine of the server. ' +
		'Nothing is sent to the sales team without --lead.',
	needs: (settings) => ({ settings }),
	describe: (program, run) =>
		void program
			.argument('<ORIGIN>')
			.option('--lead', 'Send one lead that is marked as a test, and say what became of it.')
			.action((operand, values) => run(examine, { operand, values })),
};

interface DoctorNeeds {
	settings: DoctorSettings;
}

interface Arguments {
	operand: string;
	values: { lead?: true };
}

/** Skips a check if the origin does not answer. */
const ofAnswers = ({ name, look }: Check): Check => ({
	name,
	look: (examination) => (examination.silence === undefined ? look(examination) : skipped('the origin does not answer')),
});

/** All checks, in order. To add one, add a row in the file of its subject. */
const checks: Check[] = [
	{ name: 'origin', look: isBuiltFor },
	{ name: 'origin: answers', look: answers },
	...[...documentChecks, ...apiChecks].map(ofAnswers),
	mailCheck,
	...storeChecks,
	ofAnswers(leadCheck),
];

/** `doctor ORIGIN` */
async function examine({ operand, values, settings, program }: Terminal & DoctorNeeds & Arguments): Promise<Report> {
	const origin = originFrom(operand);
	const build = readBuild();
	const ask = askerOf(origin);
	const silence = await ask(paths.getStatus).then(() => undefined, reasonOf);
	const examination: Examination = {
		origin,
		build,
		ask,
		silence,
		documents: silence === undefined ? await fetchDocuments(build, ask) : [],
		settings,
		leads: program.replace(/doctor(?=[^/]*$)/, 'leads'),
		lead: values.lead === true,
	};
	const findings: NamedFinding[] = [];
	for (const { name, look } of checks) findings.push({ check: name, ...(await findingOf(look, examination)) });
	return reportOf(origin, findings);
}

/** A finding with the name of its check. */
interface NamedFinding extends Finding {
	check: string;
}

async function findingOf(look: Check['look'], examination: Examination): Promise<Finding> {
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

function isBuiltFor({ origin: { origin, hostname } }: Examination): Finding {
	if (origin === builtFor) return ok(builtFor);
	const found = `the build is for ${builtFor}`;
	if (hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) > 0) return skipped(found);
	return fault(found, `Build again with SITE_URL=${origin}, and deploy that; or ask for ${builtFor}.`);
}

function answers({ silence }: Examination): Finding {
	if (silence === undefined) return ok('answers');
	return fault(silence, 'See to it that the server runs, and that this machine can reach it.');
}

const words: Record<Outcome, string> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

/** The run succeeds if nothing is at fault. */
function reportOf({ origin }: URL, findings: NamedFinding[]): Report {
	const count = (wanted: Outcome) => findings.filter(({ outcome }) => outcome === wanted).length;
	const counts = { ok: count('ok'), warning: count('warning'), fault: count('fault'), skipped: count('skipped') };
	const rows = findings.flatMap(({ check, outcome, found, advice }) => [
		[words[outcome], check, found],
		...(advice === undefined ? [] : [{ under: `       ${advice}` }]),
	]);
	const summary = `${origin}: ${counts.ok} ok, ${counts.warning} to look at, ${counts.fault} at fault, ${counts.skipped} not looked at.`;
	return {
		done: counts.fault === 0,
		data: { origin, counts, checks: findings },
		text: `${table(['', 'Check', 'Found'], rows)}\n\n${summary}`,
	};
}
