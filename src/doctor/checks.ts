import { addressChecks } from './addresses.ts';
import { apiChecks } from './api.ts';
import { type Check, skipped } from './check.ts';
import { documentChecks } from './documents.ts';
import { answerCheck, hostChecks } from './host.ts';
import { leadChecks } from './lead.ts';
import { mailChecks } from './mail.ts';
import { spamChecks } from './spam.ts';
import { storeChecks } from './store.ts';
import { certificateCheck, tlsChecks } from './tls.ts';
import { webhookChecks } from './webhooks.ts';

const atOrigin = [tlsChecks, hostChecks, addressChecks, documentChecks, apiChecks];

/** All checks, in order. To add one, add a row in the file of its subject. */
export const checks: Check[] = [
	certificateCheck,
	answerCheck,
	...atOrigin.flat().map(ofAnswers),
	...mailChecks,
	...webhookChecks,
	...spamChecks,
	...storeChecks,
	...leadChecks.map(ofAnswers),
];

/** Skips a check if the origin does not answer. */
function ofAnswers({ name, look }: Check): Check {
	return {
		name,
		look: async (examination) => ((await examination.silence()) === undefined ? look(examination) : skipped(SILENT)),
	};
}

const SILENT = 'the origin does not answer';
