import { signsFor } from '../../lead/channels/mail.ts';
import { type Fault, missing } from './setting-values.ts';

interface Variables {
	SMTP_URL?: string | undefined;
	LEAD_EMAIL_TO?: string[] | undefined;
	LEAD_EMAIL_FROM?: string | undefined;
	LEAD_EMAIL_DKIM_DOMAIN?: string | undefined;
	LEAD_EMAIL_DKIM_SELECTOR?: string | undefined;
	LEAD_EMAIL_DKIM_KEY?: string | undefined;
	LEAD_EMAIL_CONFIRM: 'on' | 'off';
	LEAD_MAILBOX?: string | undefined;
}

/** What is wrong with the mail as a whole. */
export const mailFaults = (variables: Variables): Fault[] => [...partyFaults(variables), ...dkimFaults(variables)];

const server = 'smtp://user:password@mail.example.com:587';

function partyFaults(variables: Variables): Fault[] {
	const { SMTP_URL: smtp, LEAD_EMAIL_TO: to, LEAD_EMAIL_FROM: from, LEAD_MAILBOX: mailbox } = variables;
	const faults: Fault[] = [];
	if (smtp && !to) faults.push(missing('LEAD_EMAIL_TO', 'SMTP_URL needs to know whom to write to', 'sales@example.com'));
	if (smtp && !from) faults.push(missing('LEAD_EMAIL_FROM', 'SMTP_URL needs a sender on your own domain', 'website@example.com'));
	if (to && !smtp && !mailbox)
		faults.push(missing('SMTP_URL', 'LEAD_EMAIL_TO names recipients and no server to send by', server));
	if (from && !to && !smtp && !mailbox)
		faults.push(missing('SMTP_URL', 'LEAD_EMAIL_FROM names a sender and no server to send by', server));
	if (variables.LEAD_EMAIL_CONFIRM === 'on' && !smtp)
		faults.push(missing('SMTP_URL', 'LEAD_EMAIL_CONFIRM needs a server to send by', server));
	return faults;
}

const dkimExamples = {
	LEAD_EMAIL_DKIM_DOMAIN: 'example.com',
	LEAD_EMAIL_DKIM_SELECTOR: 'website',
	LEAD_EMAIL_DKIM_KEY: 'dkim-private.pem',
};

/** All three or none, and a signature that counts. */
function dkimFaults(variables: Variables): Fault[] {
	const { SMTP_URL: smtp, LEAD_EMAIL_FROM: sender, LEAD_EMAIL_DKIM_DOMAIN: domain } = variables;
	const unset = Object.entries(dkimExamples).filter(([name]) => !Object.hasOwn(variables, name));
	if (unset.length === Object.keys(dkimExamples).length) return [];
	const faults = unset.map(([name, example]) => missing(name, 'signing with DKIM takes a domain, a selector and a key', example));
	if (!smtp) faults.push(missing('SMTP_URL', 'LEAD_EMAIL_DKIM_* has no mail to sign', server));
	if (domain && sender && !signsFor(domain, sender))
		faults.push([
			'LEAD_EMAIL_DKIM_DOMAIN',
			`must be the domain of LEAD_EMAIL_FROM or one above it: DMARC counts no other signature. It is ${domain}, and the sender is ${sender}`,
		]);
	return faults;
}
