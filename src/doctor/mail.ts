import { greet } from '../lead/channels/smtp.ts';
import type { Check, Examination, Finding } from './check.ts';
import { fault, ok, skipped } from './check.ts';

async function mailServer({ settings: { smtp } }: Examination): Promise<Finding> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	return fault(
		greeting.reason,
		'See to it that SMTP_URL has the right host, port, user and password, and that the server offers STARTTLS.',
	);
}

/** Checks the mail server, up to the login. Sends no mail. */
export const mailChecks: Check[] = [{ name: 'mail: server', look: mailServer }];
