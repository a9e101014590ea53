import type { Report } from '../../command/command.ts';
import { table } from '../../command/printing.ts';
import type { Finding } from '../check.ts';
import type { Outcome } from '../verdict.ts';

const words: Record<Outcome, string> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

/** Done is what is without a fault. */
export function reportOf({ origin }: URL, findings: Finding[]): Report {
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

const rowsOf = ({ check, outcome, found, advice }: Finding) => [
	[words[outcome], check, found],
	...(advice === undefined ? [] : [{ under: `       ${advice}` }]),
];
