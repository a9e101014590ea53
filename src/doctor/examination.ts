import type { Resolver } from 'node:dns/promises';
import type { Settings } from '../server/settings/settings.ts';
import { readBuild, type Build } from './build.ts';
import { type DocumentAnswer, visit } from './document-answers.ts';
import { paths } from '../service/links.ts';
import { type Address, type Ask, askerOf } from './origin.ts';
import { reasonOf } from './verdict.ts';

/** What an examination reads of the settings. */
export type DoctorSettings = Pick<Settings, 'store' | 'smtp' | 'email' | 'dkim' | 'webhooks'>;

/** All that checks look at. */
export interface Examination {
	origin: URL;
	/** Where connections to the origin go; undefined: where the DNS leads. */
	address: Address | undefined;
	build: Build;
	ask: Ask;
	/** Why the origin gives no answer; undefined where it does. */
	silence: () => Promise<string | undefined>;
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

/** @param given what the operator wants looked at, and how */
export function examinationOf(given: Given): Examination {
	const build = readBuild();
	const ask = askerOf(given.origin, given.address, AbortSignal.timeout(LONGEST));
	const silence = once(() => ask(paths.getStatus).then(() => undefined, reasonOf));
	return { ...given, build, ask, silence, answers: once(() => visit(build, ask)) };
}

function once<Result>(work: () => Result): () => Result {
	let done: { result: Result } | undefined;
	return () => (done ??= { result: work() }).result;
}
