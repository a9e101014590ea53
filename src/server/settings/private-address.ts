import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { must, written } from '../../values/value.ts';

/** The ranges of addresses that nobody reaches from the internet. */
const privateRanges = new Set<string>(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

const isPrivate = (host: string) => host === 'localhost' || (isIP(host) > 0 && privateRanges.has(ipaddr.process(host).range()));

/** Where to listen for those alone who are on this machine or in a private network: `127.0.0.1:9464`, `[::1]:9464`. */
export const privateAddress = written(
	(text) => isPrivate(parts(text).host) && parts(text).port <= 65_535,
	parts,
	must('an address of this machine or of a private network, with a port', '127.0.0.1:9464'),
);

function parts(text: string): { host: string; port: number } {
	const [, bracketed, bare, port] = /^(?:\[([\da-f:.]+)\]|([\w.]+)):(\d{1,5})$/i.exec(text) ?? [];
	return { host: bracketed ?? bare ?? '', port: Number(port) };
}
