import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { assembled } from './support/assembled.ts';
import { startFront } from './support/front.ts';
import { startLambda } from './support/lambda.ts';
import { type EventOf, eventV1, eventV2 } from './support/lambda-events.ts';

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
				zipAndUnzip('var/test/dist/hosts/lambda/function', folder);
				const environment = parts.use(await startLambda({ folder, handler: 'lambda.handler', env }));
				const front = await startFront((request) => environment.invoke(eventOf(request, stage)));
				return { url: parts.use(front).url };
			}),
	});

/** As it is sent to AWS, and as AWS unpacks it. */
function zipAndUnzip(from: string, to: string): void {
	const file = path.join(to, 'function.zip');
	execFileSync('zip', ['-qr', file, '.'], { cwd: from });
	execFileSync('unzip', ['-q', file, '-d', to]);
}
