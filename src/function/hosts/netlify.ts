import { answerFrom } from '../answer.ts';

/** What Netlify passes beside a request. */
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
