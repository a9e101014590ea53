import { runCommand } from './operator-command.ts';
import { type Spoil, startProxy } from './spoiling-proxy.ts';

/** One finding of the doctor. */
interface Finding {
	check: string;
	outcome: 'ok' | 'warning' | 'fault' | 'skipped';
	found: string;
	advice?: string;
}

/** Runs the built doctor, with only these settings. */
export async function runDoctor(args: string[], env: Record<string, string> = {}, node?: string) {
	const { code, stdout, stderr } = await runCommand('doctor', [...args, '--json'], { env: { LEAD_STORE: 'none', ...env }, node });
	if (stderr !== '') throw new Error(stderr);
	const { checks: findings } = JSON.parse(stdout) as { checks: Finding[] };
	/** The findings that are neither ok nor skipped. */
	const complaints = findings.filter(({ outcome }) => outcome === 'warning' || outcome === 'fault');
	return { code, findings, complaints };
}

/** Runs the doctor on a server behind a proxy. */
export async function doctorBehind(spoil: Spoil, target: string) {
	await using proxy = await startProxy({ target, spoil });
	return await runDoctor([`http://127.0.0.1:${proxy.port}`]);
}
