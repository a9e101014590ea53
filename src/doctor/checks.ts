import { addressChecks } from './addresses.ts';
import { channelChecks } from './channels.ts';
import type { Check } from './check.ts';
import { documentChecks } from './documents.ts';
import { expiryChecks } from './expiry.ts';
import { leadChecks } from './lead.ts';
import { mailDnsChecks } from './mail-dns.ts';
import { operationChecks } from './operations.ts';
import { storeChecks } from './store.ts';
import { reachChecks, transportChecks } from './transport.ts';
import { skipped } from './verdict.ts';

/** What is looked at, in this order. To add a check is to add a row in the file of its subject. */
export const checks: Check[] = [
	...reachChecks,
	...[transportChecks, addressChecks, documentChecks, expiryChecks, operationChecks].flat().map(ofAnswers),
	...mailDnsChecks,
	...channelChecks,
	...storeChecks,
	...leadChecks.map(ofAnswers),
];

/** A check that is spared where the origin answers nothing. */
function ofAnswers({ name, look }: Check): Check {
	return {
		name,
		look: async (examination) => ((await examination.silence()) === undefined ? look(examination) : skipped(SILENT)),
	};
}

const SILENT = 'the origin does not answer';
