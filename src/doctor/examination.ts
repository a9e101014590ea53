import type { Resolver } from 'node:dns/promises';
import type { Settings } from '../server/settings/settings.ts';
import { readBuild, type Build } from './build.ts';
import { type DocumentAnswer, visit } from './document-answers.ts';
import { type Address, type Ask, askerOf } from './origin.ts';

/** What an examination reads of the settings. */
export type DoctorSettings = Pick<Settings, 'store' | 'smtp' | 'email' | 'dkim' | 'webhooks'>;

/** All that checks look at. */
export interface Examination {
	origin: URL;
	/** Where connections to the origin go; undefined: where the DNS leads. */
	address: Address | undefined;
	build: Build;
	ask: Ask;
	/** Every document, asked for once. */
	answers: () => Promise<DocumentAnswer[]>;
	resolver: Resolver;
	settings: DoctorSettings;
	/** What to type for another program of ours: `npm run leads --`. */
	leads: string;
	/** Whether a lead may be sent. */
	lead: boolean;
}

/** In milliseconds: how long an examination may take. */
const LONGEST = 300_000;

type Given = Pick<Examination, 'origin' | 'address' | 'resolver' | 'settings' | 'leads' | 'lead'>;

export function examinationOf(given: Given): Examination {
	const build = readBuild();
	const ask = askerOf(given.origin, given.address, AbortSignal.timeout(LONGEST));
	let answers: Promise<DocumentAnswer[]> | undefined;
	return { ...given, build, ask, answers: () => (answers ??= visit(build, ask)) };
}
