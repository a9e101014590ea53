import { answerFrom } from '../../function/answer.ts';

/** The argument that Netlify passes beside a request. */
interface Context {
	ip?: string;
	waitUntil?(work: Promise<unknown>): void;
}

/** Answers `/api/*`. */
export default (request: Request, context?: Context): Promise<Response> =>
	answerFrom(request, {
		caller: context?.ip,
		waitUntil: context?.waitUntil?.bind(context),
	});
