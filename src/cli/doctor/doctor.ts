import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Call, Program } from '../command.ts';
import { table } from '../printing.ts';
import { checks } from './checks.ts';
import { type Finding, findingOf, openExamination } from './examination.ts';

/** Checks that the deployment serves what the build made, and works. */
export const doctor: Program = {
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

/** Runs all checks, in order. */
async function examine(call: Call, origin: URL, lead: boolean): Promise<void> {
	const examination = openExamination(call, origin, lead);
	const { documents, store } = examination;
	await Promise.allSettled([documents, store]);
	await using _ = await store.catch(() => undefined);
	const findings: (Finding & { check: string })[] = [];
	for (const [check, look] of Object.entries(checks))
		findings.push({ check, ...(await Promise.resolve(examination).then(look).catch(findingOf)) });
	const counts = { ok: 0, warning: 0, fault: 0, skipped: 0 };
	for (const { outcome } of findings) counts[outcome] += 1;
	const rows = findings.flatMap(({ check, outcome, found, advice }) => [
		[words[outcome], check, found],
		advice ? `       ${advice}` : '',
	]);
	const sum = `${counts.ok} ok, ${counts.warning} to look at, ${counts.fault} at fault, ${counts.skipped} not looked at.`;
	const text = `${table(['', 'Check', 'Found'], rows)}\n\n${origin.origin}: ${sum}`;
	call.print({ origin: origin.origin, counts, checks: findings }, text, counts.fault === 0);
}
