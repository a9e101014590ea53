import { addressChecks } from './addresses.ts';
import { channelChecks } from './channels.ts';
import type { Check } from './check.ts';
import { documentChecks } from './documents.ts';
import { expiryChecks } from './expiry.ts';
import { leadChecks } from './lead.ts';
import { mailDnsChecks } from './mail-dns.ts';
import { operationChecks } from './operations.ts';
import { storeChecks } from './store.ts';
import { transportChecks } from './transport.ts';

/** What is looked at, in this order. To add a check is to add a row in the file of its subject. */
export const checks: Check[] = [
	...transportChecks,
	...addressChecks,
	...documentChecks,
	...expiryChecks,
	...operationChecks,
	...mailDnsChecks,
	...channelChecks,
	...storeChecks,
	...leadChecks,
];
