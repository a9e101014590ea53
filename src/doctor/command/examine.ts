import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ArgumentError, type Report } from '../../command/command.ts';
import type { Check, Finding } from '../check.ts';
import { fault, reasonOf, type Verdict } from '../verdict.ts';
import { checks } from '../checks.ts';
import { type Examination, examinationOf } from '../examination.ts';
import type { Address } from '../origin.ts';
import type { DoctorContext } from './context.ts';
import { reportOf } from './report.ts';

/** `doctor ORIGIN` */
export async function examine({ operand, values, settings, program, progress }: DoctorContext): Promise<Report> {
	const origin = originFrom(operand!);
	const examination = examinationOf({
		origin,
		address: addressFrom(values.at),
		resolver: resolverFor(values.dns),
		settings,
		leads: program.replace(/doctor(?=[^/]*$)/, 'leads'),
		lead: values.lead === true,
	});
	const findings: Finding[] = [];
	for (const [at, check] of checks.entries()) {
		progress(`${at + 1} of ${checks.length}: ${check.name}`);
		findings.push({ check: check.name, ...(await verdictOf(check, examination)) });
	}
	progress('');
	return reportOf(origin, findings);
}

async function verdictOf({ look }: Check, examination: Examination): Promise<Verdict> {
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

/** `192.0.2.1`, `192.0.2.1:8443`, `[2001:db8::1]:8443`, `localhost` */
function addressFrom(text: string | undefined): Address | undefined {
	if (text === undefined) return undefined;
	if (isIP(text) > 0) return { host: text, port: undefined };
	const [, host, port] = /^(\[.*\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
	if (host === undefined)
		throw new ArgumentError('--at is a host or an address, for example --at 192.0.2.1 or --at localhost:4321.');
	return { host: host.replaceAll(/[[\]]/g, ''), port: port === undefined ? undefined : Number(port) };
}

function resolverFor(server: string | undefined): Resolver {
	const resolver = new Resolver({ timeout: 3000, tries: 2 });
	try {
		if (server !== undefined) resolver.setServers([server]);
	} catch {
		throw new ArgumentError('--dns is an IP address, for example --dns 192.0.2.53.');
	}
	return resolver;
}
