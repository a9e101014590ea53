import { randomUUID } from 'node:crypto';
import { paths } from '../facts/links.ts';
import { origin as builtFor } from '../facts/load.ts';
import type { Build } from './build.ts';
import type { Check, Examination } from './examination.ts';
import type { Ask } from './origin.ts';
import { fault, okIfNone, ok, type Verdict, warning } from './verdict.ts';

async function unknownAddresses({ build: { notFound }, ask }: Examination): Promise<Verdict> {
	const verdicts = await Promise.all(notFound.map((page) => unknownAddress(page, ask)));
	const worst = ['fault', 'warning'].flatMap((outcome) => verdicts.filter((verdict) => verdict.outcome === outcome));
	return worst[0] ?? ok(`404 with our page below ${notFound.map(({ below }) => below).join(', ')}`);
}

async function unknownAddress({ below, file, content, headers: wanted }: Build['notFound'][number], ask: Ask): Promise<Verdict> {
	const { status, headers, body } = await ask(below + randomUUID(), { headers: { 'accept-encoding': 'identity' } });
	const advice = `Let the host answer 404 with /${file} where nothing is below ${below}`;
	if (status !== 404) return fault(`${below}… answered ${status}, not 404`, `${advice}: search engines index the rest.`);
	if (!body.equals(content)) return warning(`below ${below} 404 with another page than ours`, `${advice}.`);
	const lost = Object.keys(wanted).filter((name) => policies.test(name) && !(name in headers));
	return okIfNone(lost, '404 with our page', 'Let the host send these headers with errors too.');
}

const policies = /^(content-security-policy|referrer-policy|x-)/;

async function slashes({ ask }: Examination) {
	const { status, headers } = await ask(`${paths.docs}/`);
	const leads = headers['location'] !== undefined && URL.parse(headers['location'], builtFor)?.pathname === paths.docs;
	if ((status >= 300 && status < 400 && leads) || status === 404) return ok(`answered ${status}`);
	return warning(`answered ${status}: a page has two addresses`, `Let the host redirect ${paths.docs}/ to ${paths.docs}.`);
}

async function head({ ask }: Examination) {
	const { status, headers, body } = await ask(paths.home, { method: 'HEAD' });
	if (status === 200 && headers['content-type']?.startsWith('text/html') && body.length === 0)
		return ok('as GET, without the body');
	return warning(`answered ${status}`, 'Let the host answer HEAD as it does GET (RFC 9110 section 9.3.2).');
}

async function otherMethods({ ask }: Examination) {
	const { status, headers } = await ask(paths.docs, { method: 'POST', body: '' });
	if (status === 405 && headers['allow']?.includes('GET')) return ok('405 with Allow');
	const found = status === 405 ? '405 without Allow' : `answered ${status}, not 405`;
	return warning(
		`POST to ${paths.docs}: ${found}`,
		'Let the host refuse other methods than GET and HEAD (RFC 9110 section 15.5.6).',
	);
}

/** Checks of the answers to requests that are not a plain GET of a document. */
export const addressChecks: Check[] = [
	{ name: 'addresses: unknown', look: unknownAddresses },
	{ name: 'addresses: slash', look: slashes },
	{ name: 'addresses: HEAD', look: head },
	{ name: 'addresses: methods', look: otherMethods },
];
