import { execFileSync } from 'node:child_process';

export interface User {
	uid: number;
	gid: number;
}

/** Returns the numbers of a user of this machine. */
export function user(name: string): User {
	const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, name])));
	return { uid: uid!, gid: gid! };
}

/** Returns a user for a program that refuses to run as root, or undefined if we are not root. */
export const unlessRoot = (name: string): User | undefined => (process.getuid?.() === 0 ? user(name) : undefined);
