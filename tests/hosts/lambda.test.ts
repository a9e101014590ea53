import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { assembled } from './support/assembled.ts';
import { cloudFront, throughCloudFront } from './support/cloudfront.ts';
import { type FrontRequest, startFront } from './support/front.ts';
import { startLambda } from './support/lambda.ts';
import { type EventOf, eventV1, eventV2 } from './support/lambda-events.ts';

const built = 'var/test/dist/hosts/lambda';

/** The secret that CloudFront sends to the function. */
const FUNCTION_SECRET = 'f00d'.repeat(16);

const functions: [name: string, eventOf: EventOf, stage: string][] = [
	['AWS Lambda, function URL', eventV2, '$default'],
	['AWS Lambda, HTTP API with a stage', eventV2, 'prod'],
	['AWS Lambda, REST API', eventV1, 'prod'],
];

for (const [name, eventOf, stage] of functions)
	testHost({
		name,
		serves: 'operations',
		start: (env) =>
			assembled(async (parts) => {
				const folder = parts.use(await temporaryFolder()).path;
				zipAndUnzip(`${built}/function`, folder);
				const environment = parts.use(await startLambda({ folder, handler: 'lambda.handler', env }));
				const front = await startFront((request) => environment.invoke(eventOf(request, stage)));
				return { url: parts.use(front).url };
			}),
	});

testHost({
	name: 'AWS Lambda, S3 and CloudFront',
	serves: 'everything',
	start: (settings) =>
		assembled(async (parts) => {
			const folder = parts.use(await temporaryFolder()).path;
			zipAndUnzip(`${built}/function`, folder);
			const env = { ...settings, TRUST_PROXY: '2', FUNCTION_SECRET };
			const environment = parts.use(await startLambda({ folder, handler: 'lambda.handler', env }));
			const files = cloudFront(built);
			const answer = async (request: FrontRequest) =>
				request.path.startsWith('/api/')
					? environment.invoke(eventV2(throughCloudFront(request, FUNCTION_SECRET), '$default'))
					: files(request);
			return { url: parts.use(await startFront(answer)).url };
		}),
});

/** Zips the folder, as for AWS, and unzips it, as AWS does. */
function zipAndUnzip(from: string, to: string): void {
	const file = path.join(to, 'function.zip');
	execFileSync('zip', ['-qr', file, '.'], { cwd: from });
	execFileSync('unzip', ['-q', file, '-d', to]);
}
