import type { HostFolder } from './folder.ts';

/** For AWS Lambda: the folder to be zipped, and beside it the files, which go elsewhere. */
export const lambdaFolder: HostFolder = {
	files: 'files',
	program: { name: 'lambda.mjs', folder: 'function' },
	texts: {},
};
