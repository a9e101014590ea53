import * as z from 'zod';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type MailRoute, routeFields } from '../../lead/channels/routes.ts';
import { mustBe, listOf } from '../../values/value.ts';
import { storeVariable } from './lead-settings.ts';
import { address, type Faults, group, missing, onOff, protocolOf, type Values } from './setting-values.ts';

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
	try {
		// A password such as `p%zz` would fail with each mail.
		decodeURIComponent(username + password);
	} catch {
		return false;
	}
	return hostname !== '' && (username === '') === (password === '');
}

/** Names a route by its number, because a value may be a secret that was put into the wrong variable. */
const mailRoutes = z.string().transform((text, context) =>
	text.split(/\s+/).map((route, index): MailRoute => {
		const [, field = '', value = '', list = ''] = /^([^=]*)=?(.*?)(?::([^:]*))?$/.exec(route)!;
		const to = list
			.split(',')
			.filter(Boolean)
			.map((each) => address('', '').safeParse(each));
		const comparison = Object.entries(routeFields).find(([name]) => name === field)?.[1];
		const wish = !comparison
			? `begin with a field that routes can compare: ${Object.keys(routeFields).join(', ')}`
			: !comparison.knows(value)
				? `have, behind ${field}=, ${comparison.form}`
				: !(to.length > 0 && to.every(({ success }) => success)) && 'end with a colon and one address or several between commas';
		if (wish) context.addIssue(`must, in route ${index + 1}, ${wish}. A whole route is country=DE:dach@example.com`);
		return { field: field as MailRoute['field'], value, to: to.flatMap(({ data }) => data ?? []) };
	}),
);

/** The variables that decide whether there is mail, also for other groups whose checks depend on it. */
export const mailVariables = { SMTP_URL: smtpUrl.optional(), LEAD_MAILBOX: writableFolder.optional() };

const variables = {
	...mailVariables,
	LEAD_EMAIL_TO: listOf(/[\s,]+/, address('one address or several between commas', 'sales@example.com')).optional(),
	LEAD_EMAIL_ROUTES: mailRoutes.optional(),
	LEAD_EMAIL_FROM: address('one address on your own domain', 'website@example.com').optional(),
	LEAD_EMAIL_CONFIRM: onOff('off'),
	...storeVariable,
};

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
		values.LEAD_EMAIL_CONFIRM && !smtp && missing('SMTP_URL', 'LEAD_EMAIL_CONFIRM needs a server to send by', exampleUrl),
		values.LEAD_EMAIL_CONFIRM &&
			values.LEAD_STORE.kind === 'none' && [
				'LEAD_STORE',
				'must remember who got a confirmation where LEAD_EMAIL_CONFIRM is on, for example LEAD_STORE=sqlite:var/leads.db',
			],
	];
}

/** Mail to the sales team, by SMTP or into the mailbox, and to visitors. */
export const mailSettings = group(variables, partyFaults, (values) => ({
	/** URL of the mail server. */
	smtp: values.SMTP_URL,
	/** Parties of the sales team's mail, by SMTP or into the mailbox. */
	email: {
		to: values.LEAD_EMAIL_TO,
		from: values.LEAD_EMAIL_FROM,
		routes: values.LEAD_EMAIL_ROUTES,
	},
	/** Whether visitors get a confirmation by mail. */
	confirm: values.LEAD_EMAIL_CONFIRM,
	/** Folder of a Maildir. */
	mailbox: values.LEAD_MAILBOX,
}));
