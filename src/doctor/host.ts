import { isIP } from 'node:net';
import { paths } from '../facts/links.ts';
import { type Check, type Examination, fault, type Finding, ok, okIfNone, reasonOf, skipped, warning } from './check.ts';
import { askerOf, hostOf, PATIENCE } from './origin.ts';

/** Returns whether the origin has no domain, and so no second host name. */
export const isLocal = (origin: URL) => origin.hostname === 'localhost' || isIP(hostOf(origin)) > 0;

async function answers({ silence }: Examination): Promise<Finding> {
	const reason = await silence();
	return reason === undefined
		? ok('answers')
		: fault(reason, 'See to it that the server runs, and that this machine can reach it.');
}

/** Checks the host name with `www.`, or without it if the origin has it. */
async function otherHost({ origin, ask }: Examination): Promise<Finding> {
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

async function serverName({ ask }: Examination): Promise<Finding> {
	const answers = await Promise.all([paths.home, paths.getStatus, '/no-such-page'].map((path) => ask(path)));
	const told = answers.flatMap(({ headers }) =>
		['server', 'x-powered-by', 'x-aspnet-version'].flatMap((name) =>
			/\d/.test(headers[name] ?? '') ? [`${name}: ${headers[name]}`] : [],
		),
	);
	const finding = okIfNone(
		[...new Set(told)],
		'no answer tells a version',
		'Leave the version out, which says what to attack: server_tokens off, with nginx.',
	);
	return finding.outcome === 'fault' ? { ...finding, outcome: 'warning' } : finding;
}

/** Checks that nobody can call the function directly: such a client could choose the address that the rate limit counts. */
async function functionAddress({ functionUrl }: Examination): Promise<Finding> {
	if (functionUrl === undefined) return skipped('no --function-url is given');
	const ask = askerOf(functionUrl, undefined, AbortSignal.timeout(PATIENCE));
	const { status } = await ask(functionUrl.href.replace(/\/?$/, paths.getStatus));
	if (status === 403) return ok('it answers 403');
	return fault(
		`it answers ${status} to anybody`,
		'Set FUNCTION_SECRET, and let the proxy in front send it in X-Function-Secret.',
	);
}

/** Checks that anything answers at all. */
export const answerCheck: Check = { name: 'host: answers', look: answers };

/** Checks of the host that answers. */
export const hostChecks: Check[] = [
	{ name: 'host: one address', look: otherHost },
	{ name: 'host: server name', look: serverName },
	{ name: 'host: function address', look: functionAddress },
];
