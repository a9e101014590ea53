import type { KeyObject } from 'node:crypto';
import { keyedHash } from '../keyed-hash.ts';
import type { Fields } from './signal.ts';
import { ownerOf, webAddressesIn } from './web-address.ts';

/** In letters: shorter messages are not compared, because people write the same by chance. */
const SHORTEST = 60;
/** In letters: what follows is not compared. */
const LONGEST = 3000;
/** In letters: the length of a shingle. Texts are compared by their shingles, which are all their parts of this length. */
const SHINGLE = 8;
/** The most links of a lead that are remembered, or looked up. */
const LINKS = 10;
/**
 * A message has eight traits, each made of four min-hashes (bands and rows of locality-sensitive hashing). Messages that share 80 %
 * of their shingles have a trait in common in 98 of 100 cases, those that share 20 % in 1 of 100.
 */
const [TRAITS, HASHES] = [8, 4];

/** Returns the letters of a message, without what robots vary: case, digits, signs, links and the greeting. */
const lettersOf = ({ message = '' }: Fields) =>
	message
		.slice(0, 5000)
		// They are no letters, and `normalize` takes quadratic time over many in a row.
		.replace(/\p{M}+/gu, '')
		.normalize('NFKC')
		// One letter may have become eighteen.
		.slice(0, 5000)
		.toLowerCase()
		.replace(/(?:https?:\/\/|(?<![a-z\d-])[a-z\d-]{1,63}\.[a-z]{2,9}\/)\S*/g, ' ')
		.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')
		.replace(/[^\p{L}]+/gu, '')
		.slice(0, LONGEST);

/** Returns a hash of each shingle. */
function shinglesOf(letters: string): Uint32Array {
	const shingles = new Uint32Array(Math.max(0, letters.length - SHINGLE + 1));
	for (let at = 0; at < shingles.length; at += 1) {
		let hash = 0;
		for (let place = at; place < at + SHINGLE; place += 1) hash = Math.imul(hash ^ letters.charCodeAt(place), 0x01_00_01_93);
		shingles[at] = hash;
	}
	return shingles;
}

/** Returns the shingle that comes first in a random order (MinHash). Texts return the same one as often as they share shingles. */
function minHash(shingles: Uint32Array, letters: string, seed: number): string {
	let [least, found] = [Infinity, 0];
	for (let at = 0; at < shingles.length; at += 1) {
		const mixed = Math.imul(shingles[at]! ^ Math.imul(seed + 1, 0x9e_37_79_b1), 0x85_eb_ca_6b);
		const order = Math.imul(mixed ^ (mixed >>> 15), 0xc2_b2_ae_35) >>> 0;
		if (order < least) [least, found] = [order, at];
	}
	return letters.slice(found, found + SHINGLE);
}

/**
 * Returns a keyed hash of one shingle of a message, which most variants of the message share; undefined if the message is short.
 * Other messages may have it too: {@link areAlike} compares whole messages.
 */
export function fingerprintOf(secret: KeyObject, lead: Fields): string | undefined {
	const letters = lettersOf(lead);
	return letters.length < SHORTEST ? undefined : keyedHash(secret, 'message', minHash(shinglesOf(letters), letters, 0));
}

/** Returns whether two messages differ in a few words only: they share two thirds of the shorter one's shingles, which is half as long at least. */
export function areAlike(one: Fields, other: Fields): boolean {
	const [ones, others] = [one, other].map((lead) => shinglesOf(lettersOf(lead)).toSorted()) as [Uint32Array, Uint32Array];
	let [inOne, inOther, inBoth] = [0, 0, 0];
	// Merged, because sets of numbers take ten times as long.
	for (let [at, to] = [0, 0]; at < ones.length || to < others.length;) {
		const least = Math.min(ones[at] ?? Infinity, others[to] ?? Infinity);
		const [starts, ends] = [at, to];
		while (ones[at] === least) at += 1;
		while (others[to] === least) to += 1;
		inOne += Number(at > starts);
		inOther += Number(to > ends);
		inBoth += Number(at > starts && to > ends);
	}
	const [less, more] = [Math.min(inOne, inOther), Math.max(inOne, inOther)];
	return less > 0 && 3 * inBoth >= 2 * less && 2 * less >= more;
}

/** Returns whose links a lead has, except those to hosts of ours: whoever writes to us may name them. */
export function ownersOf({ name, clinic, message }: Fields, ours: string[] = []): string[] {
	const links = [name, clinic, message].flatMap((text = '') => webAddressesIn(text));
	const foreign = links.filter(({ host }) => !ours.some((own) => `.${host}`.endsWith(`.${own}`)));
	return [...new Set(foreign.map(ownerOf))].filter((owner) => owner !== undefined).slice(0, LINKS);
}

/**
 * Returns the traits of a lead: keyed hashes of its message, and of whose links it has. Leads that resemble it share one.
 *
 * @param ours as in {@link ownersOf}
 */
export function traitsOf(secret: KeyObject, lead: Fields, ours?: string[]): string[] {
	const letters = lettersOf(lead);
	const shingles = shinglesOf(letters);
	const traits =
		letters.length < SHORTEST
			? []
			: Array.from({ length: TRAITS }, (_, trait) =>
					Array.from({ length: HASHES }, (__, at) => minHash(shingles, letters, trait * HASHES + at)).join(' '),
				);
	return [
		...traits.map((trait, at) => keyedHash(secret, `message ${at}`, trait)),
		...ownersOf(lead, ours).map((owner) => keyedHash(secret, 'link', owner)),
	];
}
