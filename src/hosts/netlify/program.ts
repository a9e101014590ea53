import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
const { fetchFrom } = await import('../../server/function.ts');

/** The argument that Netlify passes beside a request. */
interface Context {
	ip?: string;
	waitUntil?(work: Promise<unknown>): void;
}

/** Answers `/api/*` and `/lead/*`. */
export default (request: Request, context?: Context): Promise<Response> =>
	fetchFrom(request, { caller: context?.ip, waitUntil: context?.waitUntil?.bind(context) });
