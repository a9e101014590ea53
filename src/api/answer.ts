/** An answer as plain data. */
export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string>;
	body: string;
}

/** An answer with a prebuilt file, or a part of it. Its headers are complete. */
export interface FileAnswer extends Omit<Answer, 'body'> {
	/** Not to be sent for HEAD. */
	body: Buffer;
}

/** Sent with every JSON answer of the API: programs on any origin may read it, no cache may keep it. */
const apiHeaders = {
	'content-type': 'application/json',
	'cache-control': 'no-store',
	'access-control-allow-origin': '*',
	'access-control-expose-headers': 'ratelimit, ratelimit-policy, retry-after, test-key, www-authenticate',
	'cross-origin-resource-policy': 'cross-origin',
};

/** Returns an answer of the API. */
export const json = (status: number, value: unknown, headers?: Record<string, string>): Answer => ({
	status,
	headers: headers ? { ...apiHeaders, ...headers } : apiHeaders,
	body: JSON.stringify(value),
});

export const toResponse = ({ body, ...init }: Answer | FileAnswer) =>
	new Response(body.length > 0 ? (body as BodyInit) : null, init);
