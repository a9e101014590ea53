import type { Manifest } from '../../server/manifest.ts';

/** The largest body that fits into an answer of 6 MB, in base64 and with headers. */
const MOST_BYTES = 4_400_000;

/** For AWS Lambda: the folder to zip. The function answers everything, with the files packed beside it. */
export function lambdaFolder(manifest: Manifest) {
	const large = Object.entries(manifest).find(([, { bodies }]) => bodies.identity![1] - bodies.identity![0] > MOST_BYTES)?.[0];
	return {
		program: { name: 'lambda.mjs', folder: 'function' },
		texts: {},
		warning:
			large && `AWS Lambda answers with 6 MB, in base64, and cannot send ${large} whole. Make it smaller, or use another host.`,
	};
}
