import type { Signal } from './signal.ts';
import { hidesTarget, isAtDomainOf, webAddressesIn } from './web-address.ts';

/**
 * Any link in BBCode, or links to two hosts other than the sender's own that are markup or hide where they lead: people paste links to
 * their own site as markup. Ordinary links do not count, because agencies, tenders and signatures have them.
 */
export const links: Signal = ({ email, message = '' }) => {
	const found = webAddressesIn(message);
	if (found.length === 0) return undefined;
	const odd = found.filter((link) => (link.isMarkup || hidesTarget(link)) && !isAtDomainOf(link, email));
	return (new Set(odd.map(({ host }) => host)).size > 1 || /\[(?:url[=\]]|link=)/i.test(message)) && 'weak';
};
