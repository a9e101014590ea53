import { greet } from '../../lead/channels/smtp.ts';
import type { Examination } from '../examination.ts';
import { fault, ok, skipped, type Verdict } from '../verdict.ts';

export async function mailServer({ settings: { smtp } }: Examination): Promise<Verdict> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	return fault(
		greeting.reason,
		'See to it that SMTP_URL has the right host, port, user and password, and that the server offers STARTTLS.',
	);
}
