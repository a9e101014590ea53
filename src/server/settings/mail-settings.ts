import * as z from 'zod';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { signsFor } from '../../lead/channels/mail.ts';
import { type MailRoute, routeFields } from '../../lead/channels/routes.ts';
import { mustBe, listOf } from '../../values/value.ts';
import { address, type Faults, group, missing, onOff, protocolOf, type Values } from './setting-values.ts';

/** In bits. Receivers accept no shorter key for a signature (RFC 8301 section 3.2). */
const SHORTEST = 1024;

/**
 * A private key for DKIM in PEM. In an environment variable `\n` may stand for a line end.
 * The key is checked closely: with one that cannot sign, mail would go out unsigned, and nobody would notice.
 */
const dkimKey = z.string().transform((value, context) => {
	const refuse = (why: string) => {
		context.addIssue(`${why}. It must be an RSA key in PEM, as \`openssl genrsa 2048\` makes it`);
		return z.NEVER;
	};
	const pem = value.replaceAll('\\n', '\n');
	const key = keyIn(pem);
	if (key?.asymmetricKeyType !== 'rsa') return refuse('holds no RSA key without a passphrase');
	const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
	if (bits < SHORTEST) return refuse(`holds a key of ${bits} bits, and receivers ignore less than ${SHORTEST}`);
	return pem;
});

function keyIn(pem: string): KeyObject | undefined {
	try {
		return createPrivateKey(pem);
	} catch {
		return undefined;
	}
}

/** A folder that exists and is writable, or that can be created. */
const writableFolder = z
	.string()
	.refine(
		(value) => isWritableFolder(nearest(resolve(value))),
		mustBe('a folder that this process may write, or can make', 'var/mailbox'),
	);

/** Returns the path or, if it does not exist, the nearest existing folder above it. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

function isWritableFolder(path: string): boolean {
	try {
		accessSync(path, constants.W_OK | constants.X_OK);
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}

const exampleUrl = 'smtp://user:password@mail.example.com:587';

const smtpUrl = z
	.string()
	.refine(
		isSmtpUrl,
		mustBe('an smtp or smtps URL with a host, and with a user and a percent-encoded password or neither', exampleUrl),
	);

function isSmtpUrl(value: string): boolean {
	if (!['smtp:', 'smtps:'].includes(protocolOf(value) ?? '')) return false;
	const { hostname, username, password } = new URL(value);
	return hostname !== '' && (username === '') === (password === '');
}

/** Names a route by its number, because a value may be a secret that was put into the wrong variable. */
const mailRoutes = z.string().transform((text, context) =>
	text.split(/\s+/).map((route, index): MailRoute => {
		const [, field = '', value = '', list = ''] = /^([^=]*)=?(.*?)(?::([^:]*))?$/.exec(route)!;
		const to = list.split(',').filter(Boolean);
		const comparison = Object.entries(routeFields).find(([name]) => name === field)?.[1];
		const wish = !comparison
			? `begin with a field that routes can compare: ${Object.keys(routeFields).join(', ')}`
			: !comparison.knows(value)
				? `have, behind ${field}=, ${comparison.form}`
				: !(to.length > 0 && to.every((each) => address('', '').safeParse(each).success)) &&
					'end with a colon and one address or several between commas';
		if (wish) context.addIssue(`must, in route ${index + 1}, ${wish}. A whole route is country=DE:dach@example.com`);
		return { field: field as MailRoute['field'], value, to };
	}),
);

/** The variables that decide whether there is mail, also for other groups whose checks depend on it. */
export const mailVariables = { SMTP_URL: smtpUrl.optional(), LEAD_MAILBOX: writableFolder.optional() };

const variables = {
	...mailVariables,
	LEAD_EMAIL_TO: listOf(/[\s,]+/, address('one address or several between commas', 'sales@example.com')).optional(),
	LEAD_EMAIL_ROUTES: mailRoutes.optional(),
	LEAD_EMAIL_FROM: address('one address on your own domain', 'website@example.com').optional(),
	LEAD_EMAIL_DKIM_DOMAIN: z.hostname(mustBe('your domain', 'example.com')).toLowerCase().optional(),
	LEAD_EMAIL_DKIM_SELECTOR: z
		.string()
		.regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, mustBe('the name that the key has in the DNS', 'website'))
		.optional(),
	LEAD_EMAIL_DKIM_KEY: dkimKey.optional(),
	LEAD_EMAIL_CONFIRM: onOff('off'),
	LEAD_EMAIL_VCARD: onOff('off'),
};

const dkimExamples = {
	LEAD_EMAIL_DKIM_DOMAIN: 'example.com',
	LEAD_EMAIL_DKIM_SELECTOR: 'website',
	LEAD_EMAIL_DKIM_KEY: '-----BEGIN PRIVATE KEY-----\\n…',
};

/** Signing needs all three variables or none, and counts only for certain senders. */
function dkimFaults(values: Values<typeof variables>): Faults {
	const { SMTP_URL: smtp, LEAD_EMAIL_FROM: sender, LEAD_EMAIL_DKIM_DOMAIN: domain } = values;
	const unset = Object.entries(dkimExamples).filter(([name]) => !Object.hasOwn(values, name));
	if (unset.length === Object.keys(dkimExamples).length) return [];
	const uncounted = domain && sender && !signsFor(domain, sender);
	const why = `DMARC counts no other signature. It is ${domain}, and the sender is ${sender}`;
	return [
		...unset.map(([name, example]) => missing(name, 'signing with DKIM takes a domain, a selector and a key', example)),
		!smtp && missing('SMTP_URL', 'LEAD_EMAIL_DKIM_* has no mail to sign', exampleUrl),
		uncounted && ['LEAD_EMAIL_DKIM_DOMAIN', `must be the domain of LEAD_EMAIL_FROM or one above it: ${why}`],
	];
}

function dkimOf(values: Values<typeof variables>) {
	const { LEAD_EMAIL_DKIM_DOMAIN: domainName, LEAD_EMAIL_DKIM_SELECTOR: keySelector, LEAD_EMAIL_DKIM_KEY: privateKey } = values;
	return domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : undefined;
}

function partyFaults(values: Values<typeof variables>): Faults {
	const { SMTP_URL: smtp, LEAD_EMAIL_TO: to, LEAD_EMAIL_FROM: from, LEAD_MAILBOX: mailbox } = values;
	return [
		smtp && !to && missing('LEAD_EMAIL_TO', 'SMTP_URL needs to know whom to write to', 'sales@example.com'),
		smtp && !from && missing('LEAD_EMAIL_FROM', 'SMTP_URL needs a sender on your own domain', 'website@example.com'),
		to && !smtp && !mailbox && missing('SMTP_URL', 'LEAD_EMAIL_TO names recipients and no server to send by', exampleUrl),
		from &&
			!to &&
			!smtp &&
			!mailbox &&
			missing('SMTP_URL', 'LEAD_EMAIL_FROM names a sender and no server to send by', exampleUrl),
		values.LEAD_EMAIL_ROUTES &&
			!smtp &&
			!mailbox &&
			missing('SMTP_URL', 'LEAD_EMAIL_ROUTES has no server to send by', exampleUrl),
		values.LEAD_EMAIL_VCARD && !smtp && !mailbox && missing('SMTP_URL', 'LEAD_EMAIL_VCARD needs a server to send by', exampleUrl),
		values.LEAD_EMAIL_CONFIRM && !smtp && missing('SMTP_URL', 'LEAD_EMAIL_CONFIRM needs a server to send by', exampleUrl),
	];
}

/** Mail to the sales team, by SMTP or into the mailbox, and to visitors. */
export const mailSettings = group(
	variables,
	(values) => [...partyFaults(values), ...dkimFaults(values)],
	(values) => ({
		/** URL of the mail server. */
		smtp: values.SMTP_URL,
		/** Parties of the sales team's mail, by SMTP or into the mailbox, and whether it has the visitor's card. */
		email: {
			to: values.LEAD_EMAIL_TO,
			from: values.LEAD_EMAIL_FROM,
			routes: values.LEAD_EMAIL_ROUTES,
			vCard: values.LEAD_EMAIL_VCARD,
		},
		/** Signs mail sent by SMTP. */
		dkim: dkimOf(values),
		/** Whether visitors get a confirmation by mail. */
		confirm: values.LEAD_EMAIL_CONFIRM,
		/** Folder of a Maildir. */
		mailbox: values.LEAD_MAILBOX,
	}),
);
