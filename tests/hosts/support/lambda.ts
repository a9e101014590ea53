import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { TestProcess } from '../../support/process.ts';
import { disposing } from '../../support/temporary-folder.ts';
import { tool } from './tools.ts';
import { type FrontAnswer, type FrontRequest, startFront } from '../../support/front.ts';

/**
 * Starts one execution environment of AWS Lambda for Node.js: AWS's own runtime client loads the function and calls it with one
 * event after the other. In between it freezes the process, as AWS does, and unfinished work with it. @param handler `file.export`
 */
export async function startLambda(folder: string, handler: string, env: Record<string, string>) {
	const api = await startRuntimeApi((signal) => environment.signal(signal));
	const client = ['--import', path.resolve('tests/hosts/support/lambda-transport.ts'), tool('aws-lambda-ric/index.mjs')];
	const ofAws = {
		AWS_LAMBDA_RUNTIME_API: new URL(api.url).host,
		AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
		AWS_LAMBDA_FUNCTION_NAME: 'website',
		AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
		AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
		AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/website',
		AWS_LAMBDA_LOG_STREAM_NAME: 'test',
		LAMBDA_TASK_ROOT: folder,
		_HANDLER: handler,
	};
	const environment = new TestProcess(client, { cwd: folder, env: { ...ofAws, ...env } });
	const ended = environment
		.exit()
		.then((code) => Promise.reject(new Error(`The function ended with ${code}:\n${environment.output}`)));
	ended.catch(() => {});
	return { invoke: (event: object) => Promise.race([api.invoke(event), ended]), ...disposing(environment, api) };
}

/** A function's result for an HTTP event. */
type LambdaResult = { statusCode: number; body?: string; isBase64Encoded?: boolean } & {
	headers?: Record<string, string>;
	multiValueHeaders?: Record<string, string[]>;
};

/** Starts AWS's documented API for custom runtimes. @param signal called with SIGSTOP where the function rests, with SIGCONT before an event */
async function startRuntimeApi(signal: (signal: NodeJS.Signals) => void) {
	let event: object | undefined;
	let answered: PromiseWithResolvers<FrontRequest> | undefined;
	/** Answers the runtime client, which asks for the next event. */
	let hand: ((event: FrontAnswer) => void) | undefined;
	let last: Promise<unknown> = Promise.resolve();

	const handOver = () => {
		if (hand === undefined) return;
		if (answered === undefined) return signal('SIGSTOP');
		// The client asks for the next event before its answer has gone out.
		if (event === undefined) return;
		signal('SIGCONT');
		const headers = {
			'lambda-runtime-aws-request-id': randomUUID(),
			'lambda-runtime-deadline-ms': String(Date.now() + 30_000),
			'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:123456789012:function:website',
		};
		hand({ status: 200, headers, body: JSON.stringify(event) });
		hand = event = undefined;
	};
	const front = await startFront(async (request) => {
		const what = request.path.split('/').at(-1);
		if (what === 'next') {
			const { promise, resolve } = Promise.withResolvers<FrontAnswer>();
			hand = resolve;
			handOver();
			return promise;
		}
		if (what === 'response') answered!.resolve(request);
		else answered?.reject(new Error(`The function failed: ${request.body}`));
		answered = undefined;
		handOver();
		return { status: 202, headers: {}, body: '' };
	});
	const answerTo = async (next: object) => {
		event = next;
		answered = Promise.withResolvers();
		const { promise } = answered;
		handOver();
		// A REST API sends base64 on as it is, unless it is told of media types.
		return answerOf(await promise, !('httpMethod' in next));
	};
	return {
		...front,
		invoke(next: object) {
			const answer = last.then(() => answerTo(next));
			last = answer.catch(() => {});
			return answer;
		},
	};
}

/** Reads a result: it is JSON or, if streamed, its members, eight zeros, and the body. */
function answerOf({ headers, body: content }: FrontRequest, decodes: boolean): FrontAnswer {
	if (headers['content-type'] !== 'application/vnd.awslambda.http-integration-response') {
		const { body = '', isBase64Encoded, ...result } = JSON.parse(content.toString()) as LambdaResult;
		return { ...headOf(result), body: Buffer.from(body, isBase64Encoded && decodes ? 'base64' : 'utf8') };
	}
	const end = content.indexOf('\0'.repeat(8));
	return { ...headOf(JSON.parse(content.subarray(0, end).toString()) as LambdaResult), body: content.subarray(end + 8) };
}

function headOf({ statusCode, headers = {}, multiValueHeaders = {} }: LambdaResult) {
	const several = Object.entries(multiValueHeaders).map(([name, values]) => [name, values.join(', ')]);
	return { status: statusCode, headers: { ...headers, ...(Object.fromEntries(several) as Record<string, string>) } };
}
