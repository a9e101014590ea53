import { answerFrom } from '../answer.ts';
import { callerOf, type LambdaEvent, requestOf } from './lambda-event.ts';
import { type LambdaResult, resultOf } from './lambda-result.ts';

/** Called by AWS Lambda, with events of function URLs and of API Gateway, both kinds. */
export async function handler(event: LambdaEvent): Promise<LambdaResult> {
	const request = requestOf(event);
	return resultOf(await answerFrom(request, { caller: callerOf(event) }), request.method);
}
