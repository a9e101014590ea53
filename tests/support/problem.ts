import { expect } from 'vitest';

/** Expects an answer to be a problem (RFC 9457), as all are. @param name of the problem, as in its `type` @returns its members */
export async function expectProblem(response: Response, status: number, name: string): Promise<Record<string, unknown>> {
	const problem = (await response.json()) as Record<string, unknown>;
	expect(response.headers.get('content-type')).toBe('application/problem+json');
	expect(response.headers.get('cache-control')).toBe('no-store');
	expect({ status: response.status, ...problem }).toMatchObject({
		status,
		type: expect.stringMatching(new RegExp(`/docs/errors/${name}$`)),
		title: expect.any(String),
		detail: expect.any(String),
	});
	return problem;
}
