import type { Resolver } from 'node:dns/promises';
import type { Settings } from '../server/settings/settings.ts';
import { paths } from '../facts/links.ts';
import { type Build, readBuild } from './build.ts';
import { type DocumentAnswer, fetchDocuments } from './document-answers.ts';
import { type Address, type Ask, askerOf } from './origin.ts';
import { reasonOf, type Verdict } from './verdict.ts';

/** The settings that an examination reads. */
export type DoctorSettings = Pick<Settings, 'store' | 'smtp' | 'email' | 'dkim' | 'webhooks'>;

/** Everything that checks look at. */
export interface Examination {
	origin: URL;
	/** The target of connections to the origin; undefined: the one in the DNS. */
	address: Address | undefined;
	/** The function's own URL, which bypasses the proxy in front of it, if it has one that the operator gave. */
	functionUrl: URL | undefined;
	build: Build;
	ask: Ask;
	/** Returns why the origin does not answer; undefined if it does. */
	silence: () => Promise<string | undefined>;
	/** Requests every document once and returns the answers. */
	answers: () => Promise<DocumentAnswer[]>;
	resolver: Resolver;
	settings: DoctorSettings;
	/** The command of the leads program: `npm run leads --`. */
	leads: string;
	/** True if the doctor may send a lead. */
	lead: boolean;
}

/** In milliseconds: the time limit of an examination. */
const LONGEST = 300_000;

type Given = Pick<Examination, 'origin' | 'address' | 'functionUrl' | 'resolver' | 'settings' | 'leads' | 'lead'>;

/** @param given what the operator wants to examine, and how */
export function examinationOf(given: Given): Examination {
	const build = readBuild();
	const ask = askerOf(given.origin, given.address, AbortSignal.timeout(LONGEST));
	const silence = once(() => ask(paths.getStatus).then(() => undefined, reasonOf));
	return { ...given, build, ask, silence, answers: once(() => fetchDocuments(build, ask)) };
}

function once<Result>(work: () => Result): () => Result {
	let done: { result: Result } | undefined;
	return () => (done ??= { result: work() }).result;
}

/** One check. An exception in it is a fault. */
export interface Check {
	/** Stable and unique: `documents: media types`. */
	name: string;
	look: (examination: Examination) => Verdict | Promise<Verdict>;
}

/** A verdict with the name of its check. */
export interface Finding extends Verdict {
	check: string;
}
