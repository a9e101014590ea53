import { domainOf } from './email-address.ts';

/** Domains where strangers have mailboxes: there, only the whole address tells people apart. */
const providers = new Set(
	`gmail.com outlook.com outlook.de outlook.fr outlook.es hotmail.com hotmail.de hotmail.fr hotmail.es hotmail.it hotmail.co.uk
	live.com live.de live.fr live.co.uk msn.com yahoo.com yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.uk yahoo.com.br ymail.com aol.com
	icloud.com me.com mac.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.com mail.de posteo.de mailbox.org
	proton.me protonmail.com fastmail.com zoho.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it telefonica.net
	bluewin.ch ziggo.nl kpnmail.nl btinternet.com comcast.net att.net verizon.net uol.com.br terra.com.br mail.ru yandex.ru qq.com 163.com`.split(
		/\s+/,
	),
);

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
	return providers.has(domain) ? mailbox : domain;
}
