import type { Manifest } from '../../server/files/manifest.ts';
import type { HostFolder } from '../folder.ts';

/** For AWS Lambda: the folder to zip. The function answers everything, with the files packed beside it. */
export function lambdaFolder(manifest: Manifest): HostFolder {
	const large = Object.keys(manifest).find(
		(path) => manifest[path]!.bodies.identity![1] - manifest[path]!.bodies.identity![0] > MOST_BYTES,
	);
	return {
		program: { name: 'lambda.mjs', folder: 'function' },
		texts: {},
		warning:
			large && `AWS Lambda answers with 6 MB, in base64, and cannot send ${large} whole. Make it smaller, or use another host.`,
	};
}

/** The largest body that fits into an answer of 6 MB, in base64 and with headers. */
const MOST_BYTES = 4_400_000;
