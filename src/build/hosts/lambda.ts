import type { Manifest } from '../../server/manifest.ts';
import { cloudfrontFiles } from './cloudfront.ts';
import type { HostFolder } from './folder.ts';

/** For AWS Lambda: the folder to be zipped; beside it the files, for S3, and what CloudFront in front of both needs. */
export const lambdaFolder = (manifest: Manifest): HostFolder => ({
	files: 'files',
	program: { name: 'lambda.mjs', folder: 'function' },
	texts: cloudfrontFiles(manifest),
});
