import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { domainOf } from '../email-address.ts';
import type { Signal } from './signal.ts';
import { spells } from './spelling.ts';

/** Listed, although people keep addresses there for years: a service that forwards mail, and one with ordinary mailboxes. */
const lasting = new Set(['opayq.com', 'punkass.com']);

/** Made when it is first needed: it takes a millisecond. */
let listed: Set<string> | undefined;

/**
 * An address at a service whose mailboxes last for minutes. An address that spells the sender's name does not count: people keep such
 * an alias.
 */
export const disposable: Signal = ({ email = '', name = '', clinic = '' }) => {
	if (!email.includes('@')) return undefined;
	listed ??= disposableEmailBlocklistSet();
	const domain = domainOf(email).slice(0, 254).toLowerCase();
	const above = domain.split('.').slice(-2).join('.');
	return (
		(listed.has(domain) || listed.has(above)) &&
		!lasting.has(above) &&
		!spells(email.split('@', 1)[0]!.slice(0, 64), `${name} ${clinic}`) &&
		'weak'
	);
};
