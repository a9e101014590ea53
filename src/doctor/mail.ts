import { dkim } from './mail/dkim.ts';
import { dmarc } from './mail/dmarc.ts';
import { ofSender } from './mail/dns.ts';
import { recipients } from './mail/recipients.ts';
import { mailServer } from './mail/server.ts';
import { spf } from './mail/spf.ts';
import type { Check } from './check.ts';

/** The mail to the sales team: what the DNS says of it, and the server that it goes by. Nothing is sent. */
export const mailChecks: Check[] = [
	{ name: 'mail: SPF', look: ofSender(spf) },
	{ name: 'mail: DKIM', look: dkim },
	{ name: 'mail: DMARC', look: ofSender(dmarc) },
	{ name: 'mail: recipients', look: ofSender((_, examination) => recipients(examination)) },
	{ name: 'mail: server', look: mailServer },
];
