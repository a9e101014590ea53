import { greet } from '../lead/channels/smtp.ts';
import type { Check } from './check.ts';
import { fault, ok, skipped, type Verdict } from './verdict.ts';
import type { Examination } from './examination.ts';

async function mailServer({ settings: { smtp } }: Examination): Promise<Verdict> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	return fault(
		greeting.reason,
		'See to it that SMTP_URL has the right host, port, user and password, and that the server offers STARTTLS.',
	);
}

const webhooks = ({ settings, leads }: Examination) => {
	const { length } = settings.webhooks.targets;
	return skipped(
		length === 0 ? 'none in these settings' : `${length} in these settings: a test lead to each is sent by ${leads} test`,
	);
};

/** The ways to the sales team, without sending anything. */
export const channelChecks: Check[] = [
	{ name: 'mail: server', look: mailServer },
	{ name: 'webhooks', look: webhooks },
];
