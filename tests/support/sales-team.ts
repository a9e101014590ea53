import { startSmtpServer, type SmtpServerOptions } from './smtp-server.ts';
import { disposing } from './temporary-folder.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

type Arrivals = Map<string, string[]>;

/** Two channels that record leads: a mail server and a signed webhook. Its message identifies a lead; a notice has none. */
export async function startSalesTeam({ judge }: Pick<SmtpServerOptions, 'judge'> = {}) {
	const [mails, webhooks]: [Arrivals, Arrivals] = [new Map(), new Map()];
	const note = (arrivals: Arrivals, lead: string | undefined, id: string) => {
		if (lead === undefined) return;
		arrivals.set(lead, [...(arrivals.get(lead) ?? []), id]);
		team.onArrival();
	};
	const smtp = await startSmtpServer({
		judge: async (mail, before) => {
			const verdict = await judge?.(mail, before);
			if (verdict === undefined || verdict === 250)
				note(mails, /^Message: (.*)$/m.exec(mail.parsed.text ?? '')?.[1], idOf(mail.parsed.messageId!));
			return verdict;
		},
	});
	const receiver = await startWebhookReceiver(({ headers, body }) => {
		note(webhooks, (JSON.parse(body) as { data: { message?: string } }).data.message, String(headers['webhook-id']));
		return {};
	});
	const team = {
		mails,
		webhooks,
		settings: { ...smtp.settings, LEAD_WEBHOOK_URL: receiver.url, LEAD_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
		onArrival: () => {},
		missing: (leads: Iterable<string>) => [...leads].filter((lead) => !mails.has(lead) || !webhooks.has(lead)),
		arrived: () => new Set([...mails.keys(), ...webhooks.keys()]),
		/** Returns the leads that were saved twice: their copies have different ids. */
		doubled(): string[] {
			const idsOf = (lead: string) => [...(mails.get(lead) ?? []), ...(webhooks.get(lead) ?? [])];
			return [...this.arrived()].filter((lead) => new Set(idsOf(lead)).size > 1);
		},
		...disposing(receiver, smtp),
	};
	return team;
}

const idOf = (messageId: string) => /^<lead-(.*)@website\.test>$/.exec(messageId)?.[1] ?? messageId;
