import { domainOf } from './email-address.ts';

/** Domains where strangers have mailboxes: there, only the whole address tells people apart. */
const providers = new Set(
	`gmail.com icloud.com me.com mac.com web.de t-online.de freenet.de mail.com mail.de email.de posteo.de posteo.net mailbox.org firemail.de
	proton.me pm.me passmail.net tuta.com tuta.io fastmail.com fastmail.fm hey.com zohomail.com duck.com mozmail.com aleeas.com slmails.com
	simplelogin.com anonaddy.me 33mail.com spamgourmet.com disroot.org riseup.net wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr
	mailo.com ik.me libero.it virgilio.it tiscali.it alice.it tin.it telefonica.net ozu.es sapo.pt clix.pt netcabo.pt uol.com.br bol.com.br
	terra.com.br ig.com.br globo.com bluewin.ch hispeed.ch aon.at chello.at ziggo.nl kpnmail.nl planet.nl home.nl telenet.be skynet.be
	btinternet.com sky.com talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk comcast.net att.net verizon.net sbcglobal.net cox.net
	bellsouth.net charter.net rogers.com shaw.ca bell.net bigpond.com optusnet.com.au xtra.co.nz mail.ru inbox.ru bk.ru list.ru qq.com 163.com
	126.com sina.com rediffmail.com naver.com daum.net eim.ae emirates.net.ae`.split(/\s+/),
);

/** Providers with domains in many countries, such as `yahoo.com.br`. */
const families =
	/^(?:outlook|hotmail|live|msn|yahoo|ymail|rocketmail|aol|gmx|zoho|protonmail|tutanota|orange|yandex)\.[a-z.]{2,6}$/;

/**
 * Returns the mailbox behind an address, for comparing: many mail services ignore dots, and everything behind a `+`.
 * Two mailboxes may look like one.
 */
export function mailboxOf(address: string): string {
	const [local, domain] = address.toLowerCase().split('@') as [string, string];
	return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`;
}

/** Returns what the senders of one firm share: the domain or, at a provider, the mailbox. */
export function mailGroupOf(address: string): string {
	const mailbox = mailboxOf(address);
	const domain = domainOf(mailbox);
	return providers.has(domain) || families.test(domain) ? mailbox : domain;
}
