import { execFileSync } from 'node:child_process';

export interface User {
	uid: number;
	gid: number;
}

/** Returns the numbers of a user of this machine. */
export function user(name: string): User {
	const [uid, gid] = execFileSync('sh', ['-c', 'id -u "$1"; id -g "$1"', 'sh', name], { encoding: 'utf8' })
		.split('\n')
		.map(Number);
	return { uid: uid!, gid: gid! };
}
