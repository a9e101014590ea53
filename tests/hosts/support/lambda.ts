import path from 'node:path';
import { TestProcess } from '../../support/process.ts';
import { startRuntimeApi } from './lambda-runtime-api.ts';
import { tool } from './tools.ts';

interface LambdaOptions {
	/** The folder of the unpacked function. */
	folder: string;
	/** `file.export`, in AWS's notation. */
	handler: string;
	env: Record<string, string>;
}

/**
 * Starts one execution environment of AWS Lambda for Node.js: AWS's own runtime client loads the function and calls it with one
 * event after the other. In between it freezes the process, as AWS does, and unfinished work with it.
 */
export async function startLambda({ folder, handler, env }: LambdaOptions) {
	const api = await startRuntimeApi({
		onIdle: () => environment.signal('SIGSTOP'),
		onEvent: () => environment.signal('SIGCONT'),
	});
	const environment = new TestProcess(
		['--import', path.resolve('tests/hosts/support/lambda-transport.ts'), tool('aws-lambda-ric/index.mjs')],
		{
			cwd: folder,
			env: {
				AWS_LAMBDA_RUNTIME_API: api.address,
				AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
				AWS_LAMBDA_FUNCTION_NAME: 'website',
				AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
				AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
				AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/website',
				AWS_LAMBDA_LOG_STREAM_NAME: 'test',
				LAMBDA_TASK_ROOT: folder,
				_HANDLER: handler,
				...env,
			},
		},
	);
	const ended = environment
		.exit()
		.then((code) => Promise.reject(new Error(`The function ended with ${code}:\n${environment.output}`)));
	ended.catch(() => {});
	return {
		/** Returns the function's answer to an event. */
		invoke: (event: object) => Promise.race([api.invoke(event), ended]),
		async [Symbol.asyncDispose]() {
			await environment[Symbol.asyncDispose]();
			await api[Symbol.asyncDispose]();
		},
	};
}
