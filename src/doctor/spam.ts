import { spamEngineOf } from '../lead/channels/index.ts';
import { receivedNow } from '../lead/message/message.ts';
import { testLead } from '../lead/test-lead.ts';
import { type Check, type Examination, fault, type Finding, ok, skipped } from './check.ts';

/** Asks the engine once, about a test lead. */
async function engine({ settings }: Examination): Promise<Finding> {
	const asked = spamEngineOf(settings);
	if (asked === undefined) return skipped('none in these settings');
	const { host } = settings.spam.url!;
	const action = await asked.ask(receivedNow(testLead('doctor')));
	return action === undefined
		? fault(
				`no verdict from ${host} in time`,
				'Start rspamd there, or see whether LEAD_SPAM_PASSWORD is right. Until then leads are judged without it.',
			)
		: ok(`${host} answers: ${action}`);
}

/** Checks of what judges leads. */
export const spamChecks: Check[] = [{ name: 'spam: engine', look: engine }];
