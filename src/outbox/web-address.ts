import { domainOf } from '../lead/email-address.ts';

export interface WebAddress {
	/** In lower case, without `www.`. */
	host: string;
	/** From its first slash. Empty without one. */
	path: string;
	/** Whether a scheme, `www.` or markup shows that it is meant as a link. */
	isExplicit: boolean;
	/** Whether HTML or BBCode makes it a link. */
	isMarkup: boolean;
}

/** Finds web addresses, but not the domains of email addresses. A label of a host has at most 63 characters (RFC 1035 section 2.3.4). */
const pattern =
	/(?<![\p{L}\p{N}@.-])(?<start>(?:href=["']?|\[url[=\]]["']?)?(?:https?:\/\/)?(?:www\.)?)(?<host>(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,6}(?<top>\p{L}{2,24}))(?![\p{L}\p{N}@])(?::\d{1,5})?(?<path>\/[^\s<>"'()[\]]*)?/giu;

/** Top-level domains below which a host counts without a scheme or a path: `Dr.de Vries` is none, nor is `consulta.es`. */
const bareTops = new Set('com net org info biz io xyz shop online site club agency dental clinic ru fr ch br uk eu'.split(' '));

/** Returns the first hundred web addresses in the first 5,000 characters of a text: no message is longer. */
export function webAddressesIn(text: string): WebAddress[] {
	const found: WebAddress[] = [];
	if (!text.includes('.')) return found;
	for (const { groups } of text.slice(0, 5000).matchAll(pattern)) {
		const { start = '', host = '', top = '', path = '' } = groups!;
		const bare = start === '' && path === '';
		if (bare && !bareTops.has(top.toLowerCase())) continue;
		found.push({ host: host.toLowerCase(), path, isExplicit: start !== '', isMarkup: /^(?:href|\[url)/i.test(start) });
		if (found.length === 100) break;
	}
	return found;
}

/** Makes an expression of hosts, each with what is below it. `*` stands for any top-level domain. */
const anyOf = (hosts: string) =>
	new RegExp(`(?:^|\\.)(?:${hosts.replaceAll('.', '\\.').replaceAll('*', '[a-z.]+').split(/\s+/).join('|')})$`);

/** Services that hide where a link leads, or where strangers chat. */
const hiding = `bit.ly tinyurl.com t.co cutt.ly is.gd rebrand.ly shorturl.at rb.gy t.ly ow.ly
	t.me telegram.me telegra.ph te.legra.ph discord.gg`.split(/\s+/);

/** Services where anybody has a page, a form, a calendar or a short link: the host says nothing of whose it is. */
const shared = anyOf(
	`google.* goo.gl maps.app.goo.gl forms.gle youtube.com youtu.be facebook.com fb.me instagram.com linkedin.com x.com twitter.com
	tiktok.com pinterest.com medium.com github.com notion.so notion.site calendly.com cal.com tidycal.com savvycal.com zcal.co hubspot.com
	doctolib.* jameda.de doctoralia.* treatwell.* zocdoc.com g.page g.co share.google dropbox.com wetransfer.com office.com office365.com
	sharepoint.com typeform.com wikipedia.org trustpilot.com apple.com microsoft.com amazon.* tripadvisor.* yelp.* wordpress.com
	gmail.com outlook.com yahoo.* bing.com zoom.us loom.com vimeo.com wixsite.com blogspot.com linktr.ee
	wa.me whatsapp.com ${hiding.join(' ')}`,
);

/** Returns whether a host is of a service where anybody has a page. */
export const isShared = (host: string): boolean => shared.test(host);

/** Returns whether a link hides where it leads, or leads to a chat with strangers. */
export const hidesTarget = (host: string): boolean => hiding.includes(host);

/** Returns whether a link leads to the domain of an email address, above or below it. */
export function isAtDomainOf(host: string, email = ''): boolean {
	const domain = domainOf(email).toLowerCase();
	return domain !== '' && (`.${host}`.endsWith(`.${domain}`) || `.${domain}`.endsWith(`.${host}`));
}

/** Returns whether a host, apart from its top-level domain, is spelt like the name of a person or clinic, or holds a word of it. */
export function spellsHost(host: string, name: string): boolean {
	const labels = splitWords(host.slice(0, host.lastIndexOf('.'))).join('');
	const words = splitWords(name.toLowerCase().replaceAll(host, ' '));
	return labels.length > 2 && (words.join('').includes(labels) || words.some((word) => word.length > 3 && labels.includes(word)));
}

/** Returns the words of a text, in any script, in lower case and without accents. Other scripts lose marks too, such as the hamza of أ. */
export function splitWords(text: string): string[] {
	// Marks go before it too: `normalize` takes quadratic time over many in a row.
	const bare = text
		.toLowerCase()
		.replace(/\p{M}+/gu, '')
		.normalize('NFD')
		.replace(/\p{M}+/gu, '');
	return bare.replaceAll('ß', 'ss').match(/[\p{L}\p{N}]+/gu) ?? [];
}
