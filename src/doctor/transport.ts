import { isIP } from 'node:net';
import { paths } from '../service/links.ts';
import { certificateOf } from './certificate.ts';
import type { Check } from './check.ts';
import { fault, noneOf, ok, reasonOf, skipped, type Verdict, warning } from './verdict.ts';
import { daysUntil, EXPIRY_NOTICE, remaining } from './days.ts';
import type { Examination } from './examination.ts';

/** In seconds: half a year, which lists of such sites ask for at the least. */
const HSTS = 15_768_000;

/** A check that an origin without TLS is spared. */
const overTls = (look: (examination: Examination) => Verdict | Promise<Verdict>) => (examination: Examination) =>
	examination.origin.protocol === 'https:' ? look(examination) : skipped('the origin is http');

const isLocal = ({ hostname }: URL) => hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) > 0;

async function certificate({ origin, address }: Examination): Promise<Verdict> {
	const { problem, ends, protocol } = await certificateOf(origin, address);
	if (problem !== undefined)
		return fault(problem, `Get a certificate for ${origin.hostname}, and send those between it and the root with it.`);
	const days = daysUntil(ends);
	const found = `${remaining(days)}, ${protocol}`;
	return days < EXPIRY_NOTICE ? warning(found, 'Renew it, and see why nothing has renewed it by itself.') : ok(found);
}

async function toHttps({ origin, address, ask }: Examination): Promise<Verdict> {
	if (origin.port !== '' || address?.port !== undefined) return skipped('only where https is on port 443');
	const { status, headers } = await ask(`http://${origin.host}${paths.contact}`);
	const to = URL.parse(headers['location'] ?? '', origin);
	if (status >= 300 && status < 400 && to?.origin === origin.origin) return ok(`${status} to ${to.href}`);
	return fault(`http answers ${status}`, `Let http redirect to ${origin.origin}: what is typed there can be read by anybody.`);
}

async function hsts({ ask }: Examination): Promise<Verdict> {
	const header = (await ask(paths.home)).headers['strict-transport-security'];
	const age = Number(/max-age="?(\d+)/i.exec(header ?? '')?.[1] ?? 0);
	if (age >= HSTS) return ok(header!);
	return fault(header ?? 'no Strict-Transport-Security', 'Let the host send what the build declares, or max-age=63072000.');
}

/** With `www.` or, where it has that, without. */
async function otherHost({ origin, ask }: Examination): Promise<Verdict> {
	if (isLocal(origin)) return skipped('the origin has no domain');
	const other = new URL(origin);
	other.hostname = origin.hostname.startsWith('www.') ? origin.hostname.slice(4) : `www.${origin.hostname}`;
	try {
		const { status, headers } = await ask(other.href);
		const to = URL.parse(headers['location'] ?? '', other);
		if (status >= 300 && status < 400 && to?.origin === origin.origin) return ok(`${other.host} leads here`);
		return warning(
			`${other.host} answers ${status}`,
			`Let it redirect to ${origin.origin}, or take it out of the DNS: one site, one address.`,
		);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return ok(`${other.host} is not in the DNS`);
		return warning(
			`${other.host}: ${reasonOf(error)}`,
			`Let it redirect to ${origin.origin}, with a certificate, or take it out of the DNS.`,
		);
	}
}

async function serverName({ ask }: Examination): Promise<Verdict> {
	const answers = await Promise.all([paths.home, paths.getStatus, '/no-such-page'].map((path) => ask(path)));
	const told = answers.flatMap(({ headers }) =>
		['server', 'x-powered-by', 'x-aspnet-version'].flatMap((name) =>
			/\d/.test(headers[name] ?? '') ? [`${name}: ${headers[name]}`] : [],
		),
	);
	const verdict = noneOf(
		[...new Set(told)],
		'no answer tells a version',
		'Leave the version out, which says what to attack: server_tokens off, with nginx.',
	);
	return verdict.outcome === 'fault' ? { ...verdict, outcome: 'warning' } : verdict;
}

async function encrypted({ origin }: Examination): Promise<Verdict> {
	if (isLocal(origin)) return skipped('the origin is http, and has no domain');
	return fault('the origin is http', 'Serve it over https: what visitors type can be read by anybody on the way.');
}

async function answers({ silence }: Examination): Promise<Verdict> {
	const reason = await silence();
	return reason === undefined
		? ok('answers')
		: fault(reason, 'See to it that the server runs, and that this machine can reach it.');
}

/** Whether the origin is reached. */
export const reachChecks: Check[] = [
	{ name: 'TLS: certificate', look: (ex) => (ex.origin.protocol === 'https:' ? certificate(ex) : encrypted(ex)) },
	{ name: 'host: answers', look: answers },
];

/** How it is reached. */
export const transportChecks: Check[] = [
	{ name: 'TLS: from http', look: overTls(toHttps) },
	{ name: 'TLS: HSTS', look: overTls(hsts) },
	{ name: 'host: one address', look: otherHost },
	{ name: 'host: server name', look: serverName },
];
