import { writeFile } from 'node:fs/promises';
import { origin } from '../../src/facts/load.ts';
import { siteCertificate } from './certificate.ts';
import { runCommand } from './operator-command.ts';
import { shared } from './shared.ts';
import { type Spoil, startProxy } from './spoiling-proxy.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** One finding of the doctor. */
interface Finding {
	check: string;
	outcome: 'ok' | 'warning' | 'fault' | 'skipped';
	found: string;
	advice?: string;
}

export interface Examined {
	code: number;
	findings: Finding[];
	/** The findings that are neither ok nor skipped. */
	complaints: Finding[];
}

export interface Wanted {
	spoil?: Spoil;
	args?: string[];
	env?: Record<string, string>;
}

const { hostname } = new URL(origin);
/** The other host of the site: with `www.` and without. */
const otherHost = hostname.startsWith('www.') ? hostname.slice(4) : `www.${hostname}`;

/** Redirects the other host, as a proxy with the built file for nginx does. */
const redirected: Spoil = ({ path, headers }, ask) =>
	headers['host'] === otherHost ? { status: 308, headers: { location: origin + path }, body: Buffer.from('') } : ask();

/** Starts a site under its own name, with a certificate that the doctor trusts, and runs the doctor on it. */
export function doctorOf(server: () => { url: string }) {
	const site = shared(async () => {
		const folder = await temporaryFolder();
		const certificate = await siteCertificate([hostname, otherHost]);
		const trusted = `${folder.path}/ca.pem`;
		await writeFile(trusted, certificate.cert);
		return { certificate, trusted, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
	});

	/** Runs the doctor against its own proxy. */
	return async ({ spoil = (_, ask) => ask(), args = [], env = {} }: Wanted = {}): Promise<Examined> => {
		const { certificate, trusted } = site();
		await using proxy = await startProxy({
			target: server().url,
			certificate,
			spoil: (request, ask) => redirected(request, async () => (await spoil(request, ask))!),
		});
		return await runDoctor([origin, '--at', `127.0.0.1:${proxy.port}`, ...args], { NODE_EXTRA_CA_CERTS: trusted, ...env });
	};
}

/** Runs the built doctor, with only these settings. */
export async function runDoctor(args: string[], env: Record<string, string> = {}, node?: string): Promise<Examined> {
	const { code, stdout, stderr } = await runCommand('doctor', [...args, '--json'], { env: { LEAD_STORE: 'none', ...env }, node });
	if (stderr !== '') throw new Error(stderr);
	const { checks: findings } = JSON.parse(stdout) as { checks: Finding[] };
	return { code, findings, complaints: findings.filter(({ outcome }) => outcome === 'warning' || outcome === 'fault') };
}
