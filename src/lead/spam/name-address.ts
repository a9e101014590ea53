import type { Fields, Signal } from './signal.ts';
import { spellsHost } from './spelling.ts';
import { isAtDomainOf, type WebAddress, webAddressesIn } from './web-address.ts';

/**
 * A link or markup in place of a name. A link to the sender's mail domain does not count, nor does one that is spelt like the sender
 * or the clinic: people name their clinic this way. Brackets without a known tag are typography.
 */
export const nameAddress: Signal = (lead) => {
	const [name, clinic] = [lead.name, lead.clinic].map((text = '') => text.slice(0, 500)) as [string, string];
	if (name + clinic === '') return undefined;
	// A bare host may be a brand: `CNET News.com`.
	const found = [name, clinic].flatMap(webAddressesIn).filter(({ isExplicit, path }) => isExplicit || path !== '');
	const foreign = found.filter((address) => !isOwn(address, { ...lead, name, clinic }));
	return (markup.test(name) || markup.test(clinic) || foreign.length > 0) && 'strong';
};

/** A tag with attributes, one that links or runs something, or one that is closed. */
const markup =
	/<(?:[a-z]{1,10}\s[^<>]{0,200}=|(?:br|img|script|iframe|h[1-6])[\s/>])|<\/[a-z][a-z\d]{0,9}\s*>|\[(?:url|link|img|email)[=\]]|\[\/[a-z]{1,6}\]/i;

/** Returns whether a web address in the name or the clinic is the sender's: by the mail domain, or by its spelling. */
function isOwn(address: WebAddress, { email, name = '', clinic = '' }: Fields): boolean {
	const { host, path } = address;
	// At most a language behind it: `/de/`.
	const isHome = path.length <= 4;
	const isInName = name.toLowerCase().includes(host);
	if (isAtDomainOf(address, email)) return isHome || !isInName;
	return isHome && !isInName && spellsHost(host, `${name} ${clinic}`);
}
