import { isIP } from 'node:net';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type Call, Failure, type Program } from '../command.ts';
import { table } from '../printing.ts';
import { paths } from '../../facts/links.ts';
import { origin as builtFor } from '../../facts/load.ts';
import { answerChecks, askerOf, fetchDocuments, readBuild } from './answers.ts';
import { backendChecks, sendLead } from './backend.ts';
import { type Checks, type Examination, fault, type Finding, ok, reasonOf, skipped } from './check.ts';

/** Checks that the deployment serves what the build made, and works. */
export const doctor: Program = {
	script: 'doctor',
	purpose: 'Looks whether what is deployed is what was built, and works, and says what to do',
	operands:
		'ORIGIN is scheme and host, as in SITE_URL: https://www.example.com; or http://localhost:4321, on the machine of the server. ' +
		'Nothing is sent to the sales team without --lead.',
	describe: (program, call) =>
		void program
			.argument('<ORIGIN>', '', originFrom)
			.option('--lead', 'Send one lead that is marked as a test, and say what became of it.')
			.action((origin, { lead = false }) => examine(call, origin, lead)),
};

function originFrom(text: string): URL {
	const url = URL.parse(text);
	if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)) return url;
	throw new InvalidArgumentError('It must be scheme and host, without a path, for example https://www.example.com.');
}

const words = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

/** Runs all checks, in order. To add one, add a row in the file of its subject. */
async function examine(call: Call, origin: URL, lead: boolean): Promise<void> {
	const settings = call.settings();
	const build = readBuild();
	const notFound = build.find(({ path }) => path === '/404')!;
	const ask = askerOf(origin);
	const silence = await ask(paths.getStatus).then(() => undefined, reasonOf);
	const documents = silence === undefined ? await fetchDocuments(build, ask) : [];
	const store = await call.openStore().catch(whyNoStore);
	await using _ = 'outcome' in store ? undefined : store;
	const leads = call.program.replace(/doctor(?=[^/]*$)/, 'leads');
	const examination = { origin, ask, documents, notFound, settings, store, leads, lead };
	const ofAnswers = (checks: Checks): Checks => {
		if (silence === undefined) return checks;
		return Object.fromEntries(Object.keys(checks).map((name) => [name, () => skipped('the origin does not answer')]));
	};
	const checks: Checks = {
		origin: isBuiltFor,
		'origin: answers': () =>
			silence === undefined
				? ok('answers')
				: fault(silence, 'See to it that the server runs, and that this machine can reach it.'),
		...ofAnswers(answerChecks),
		...backendChecks,
		...ofAnswers({ lead: sendLead }),
	};
	const findings: (Finding & { check: string })[] = [];
	for (const [check, look] of Object.entries(checks))
		findings.push({ check, ...(await Promise.resolve(examination).then(look).catch(unreachable)) });
	const counts = { ok: 0, warning: 0, fault: 0, skipped: 0 };
	for (const { outcome } of findings) counts[outcome] += 1;
	const rows = table(
		{ '': ({ outcome }) => words[outcome], Check: ({ check }) => check, Found: ({ found }) => found },
		findings,
		({ advice }) => advice && `       ${advice}`,
	);
	const sum = `${counts.ok} ok, ${counts.warning} to look at, ${counts.fault} at fault, ${counts.skipped} not looked at.`;
	const data = { origin: origin.origin, counts, checks: findings };
	call.print(data, `${rows}\n\n${origin.origin}: ${sum}`, counts.fault === 0);
}

const unreachable = (error: unknown) =>
	fault(reasonOf(error), 'See to it that it can be reached from this machine, and look again.');

const whyNoStore = (error: unknown) =>
	error instanceof Failure ? skipped(error.message.split('\n', 1)[0]!) : unreachable(error);

function isBuiltFor({ origin: { origin, hostname } }: Examination): Finding {
	if (origin === builtFor) return ok(builtFor);
	const found = `the build is for ${builtFor}`;
	if (hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) > 0) return skipped(found);
	return fault(found, `Build again with SITE_URL=${origin}, and deploy that; or ask for ${builtFor}.`);
}
