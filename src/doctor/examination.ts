import type { Resolver } from 'node:dns/promises';
import type { Settings } from '../server/settings/settings.ts';
import { paths } from '../facts/links.ts';
import { type Build, readBuild } from './build.ts';
import { type DocumentAnswer, visit } from './document-answers.ts';
import { type Address, type Ask, askerOf } from './origin.ts';
import { reasonOf, type Verdict } from './verdict.ts';

/** The settings that an examination reads. */
export type DoctorSettings = Pick<Settings, 'store' | 'smtp' | 'email' | 'dkim' | 'webhooks'>;

/** All that checks look at. */
export interface Examination {
	origin: URL;
	/** Where connections to the origin go; undefined: where the DNS leads. */
	address: Address | undefined;
	/** Where a function can be called past what stands in front of it; undefined: nowhere, or it is not known. */
	functionUrl: URL | undefined;
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

type Given = Pick<Examination, 'origin' | 'address' | 'functionUrl' | 'resolver' | 'settings' | 'leads' | 'lead'>;

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

/** One thing that is looked at. An exception of it is a fault. */
export interface Check {
	/** Stable, and unlike all others: `documents: media types`. */
	name: string;
	look: (examination: Examination) => Verdict | Promise<Verdict>;
}

/** A verdict, and of which check. */
export interface Finding extends Verdict {
	check: string;
}
