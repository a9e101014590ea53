import { addressChecks } from './addresses.ts';
import { documentChecks } from './documents.ts';
import type { Check } from './examination.ts';
import { expiryChecks } from './expiry.ts';
import { answerCheck, hostChecks } from './host.ts';
import { leadChecks } from './lead.ts';
import { mailChecks } from './mail.ts';
import { operationChecks } from './operations.ts';
import { publishedChecks } from './published.ts';
import { statusChecks } from './status.ts';
import { storeChecks } from './store.ts';
import { certificateCheck, tlsChecks } from './tls.ts';
import { transferChecks } from './transfer.ts';
import { skipped } from './verdict.ts';
import { webhookChecks } from './webhooks.ts';

const atOrigin = [
	tlsChecks,
	hostChecks,
	publishedChecks,
	addressChecks,
	documentChecks,
	transferChecks,
	expiryChecks,
	statusChecks,
	operationChecks,
];

/** All checks, in order. To add one, add a row in the file of its subject. */
export const checks: Check[] = [
	certificateCheck,
	answerCheck,
	...atOrigin.flat().map(ofAnswers),
	...mailChecks,
	...webhookChecks,
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
