import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type Call, Failure, optionBy, type Program } from '../command.ts';
import { table } from '../printing.ts';
import { duration } from '../../lead/values.ts';
import { sendCanary } from './canary.ts';
import { checks } from './checks.ts';
import { askerOf, type Finding, findingOf, openExamination } from './examination.ts';

export const doctor: Program = {
	purpose: 'Compares what is deployed with what was built, tries whether it works, and says what to do',
	operands:
		'ORIGIN is scheme and host, as in SITE_URL: https://www.example.com; or http://localhost:4321, on the machine of the server. ' +
		'Nothing is sent to the sales team.',
	describe: (program, call) =>
		void program
			.argument('<ORIGIN>', '', originFrom)
			.option('--canary', 'Do nothing but send a lead by the form, and see it arrive: at CANARY_IMAP_URL or CANARY_WEBHOOK.')
			.addOption(optionBy('--patience <TIME>', 'How long the canary may take.', duration('1h', '5m'), '10m'))
			.action((origin, { canary, patience }) => (canary ? watchCanary(call, origin, patience) : examine(call, origin))),
};

function originFrom(text: string): URL {
	const url = URL.parse(text);
	if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)) return url;
	throw new InvalidArgumentError('It must be scheme and host, without a path, for example https://www.example.com.');
}

const words = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

async function examine(call: Call, origin: URL): Promise<void> {
	const examination = openExamination(call, origin);
	const { documents, store } = examination;
	await Promise.allSettled([documents, store]);
	await using _ = await store.catch(() => undefined);
	const findings: (Finding & { check: string })[] = [];
	for (const [check, look] of Object.entries(checks))
		findings.push({ check, ...(await Promise.resolve(examination).then(look).catch(findingOf)) });
	report(call, origin, findings);
}

async function watchCanary(call: Call, origin: URL, patience: number): Promise<void> {
	const { CANARY_SECRET: secret, CANARY_IMAP_URL: imap, CANARY_WEBHOOK: address } = call.settings();
	const place = imap ?? address;
	if (!secret || !place) throw new Failure('There is no canary. Set CANARY_SECRET, and CANARY_IMAP_URL or CANARY_WEBHOOK.');
	const finding = await sendCanary(secret, place, askerOf(origin), origin, patience * 1000).catch(findingOf);
	report(call, origin, [{ check: 'canary', ...finding }]);
}

function report(call: Call, origin: URL, findings: (Finding & { check: string })[]): void {
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
