import type { KeyObject } from 'node:crypto';
import { keyedHash } from '../keyed-hash.ts';
import type { Fields } from './signal.ts';
import { ownerOf, webAddressesIn } from './web-address.ts';

/** In letters: many people write the same short message. */
const SHORTEST = 60;
/** In letters: what follows is not compared. */
const LONGEST = 3000;
/** In letters: texts are compared by their runs of this length. */
const RUN = 8;
/** The most links of a lead that are remembered, or looked up. */
const LINKS = 10;
/**
 * A trait of a message is made of four of its runs, drawn by hashes, and it has eight: so two messages that share 80 % of their runs
 * have a trait in common in 98 of 100 cases, and two that share 20 % in 1 of 100.
 */
const [TRAITS, DRAWS] = [8, 4];

/** Returns what a message says, without what robots vary: case, digits, signs, links and the greeting. */
const essenceOf = ({ message = '' }: Fields) =>
	message
		.slice(0, 5000)
		.normalize('NFKC')
		.toLowerCase()
		.replace(/(?:https?:\/\/|[a-z\d-]{1,63}\.[a-z]{2,9}\/)\S*/g, ' ')
		.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')
		.replace(/[^\p{L}]+/gu, '')
		.slice(0, LONGEST);

/** Returns a number for each run of letters, equal for equal runs. */
function runsOf(essence: string): Uint32Array {
	const runs = new Uint32Array(Math.max(0, essence.length - RUN + 1));
	for (let at = 0; at < runs.length; at += 1) {
		let hash = 0;
		for (let letter = at; letter < at + RUN; letter += 1) hash = Math.imul(hash ^ essence.charCodeAt(letter), 0x01_00_01_93);
		runs[at] = hash;
	}
	return runs;
}

/** Draws a run: of texts that share some of their runs, that share draws the same. This is min-hash. */
function draw(runs: Uint32Array, essence: string, seed: number): string {
	let [least, found] = [Infinity, 0];
	for (let at = 0; at < runs.length; at += 1) {
		const mixed = Math.imul(runs[at]! ^ Math.imul(seed + 1, 0x9e_37_79_b1), 0x85_eb_ca_6b);
		const order = Math.imul(mixed ^ (mixed >>> 15), 0xc2_b2_ae_35) >>> 0;
		if (order < least) [least, found] = [order, at];
	}
	return essence.slice(found, found + RUN);
}

/**
 * Returns a keyed hash of one run of a message's letters, which most variants of the message share, or undefined if the message is
 * short: two people may write the same by chance. Others may share it too: compare by {@link areAlike}.
 */
export function fingerprintOf(secret: KeyObject, lead: Fields): string | undefined {
	const essence = essenceOf(lead);
	return essence.length < SHORTEST ? undefined : keyedHash(secret, 'message', draw(runsOf(essence), essence, 0));
}

/** Returns whether two messages say the same but for a few words: whether they share two thirds of the shorter one's runs. */
export function areAlike(one: Fields, other: Fields): boolean {
	const [less, more] = [one, other].map((lead) => new Set(runsOf(essenceOf(lead)))).toSorted((a, b) => a.size - b.size);
	return less!.size > 0 && 3 * less!.intersection(more!).size >= 2 * less!.size && 2 * less!.size >= more!.size;
}

/** Returns whose links a lead has, except those to hosts of ours: whoever writes to us may name them. */
export function ownersOf({ name, clinic, message }: Fields, ours: string[] = []): string[] {
	const links = [name, clinic, message].flatMap((text = '') => webAddressesIn(text));
	const foreign = links.filter(({ host }) => !ours.some((own) => `.${host}`.endsWith(`.${own}`)));
	return [...new Set(foreign.map(ownerOf))].filter((owner) => owner !== undefined).slice(0, LINKS);
}

/** Returns keyed hashes of what other leads may share with this one: the message, and whose links it has. @param ours as in {@link ownersOf} */
export function traitsOf(secret: KeyObject, lead: Fields, ours?: string[]): string[] {
	const essence = essenceOf(lead);
	const runs = runsOf(essence);
	const traits =
		essence.length < SHORTEST
			? []
			: Array.from({ length: TRAITS }, (_, trait) =>
					Array.from({ length: DRAWS }, (__, at) => draw(runs, essence, trait * DRAWS + at)).join(' '),
				);
	return [
		...traits.map((trait, at) => keyedHash(secret, `message ${at}`, trait)),
		...ownersOf(lead, ours).map((owner) => keyedHash(secret, 'link', owner)),
	];
}
