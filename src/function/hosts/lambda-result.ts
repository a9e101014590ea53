/** What AWS Lambda answers with. Cookies there are none. */
export interface LambdaResult {
	statusCode: number;
	/** By lower-case name; several of a name are one, with commas between them (RFC 9110 section 5.3). */
	headers: Record<string, string>;
	body: string;
	isBase64Encoded: false;
}

/** Every answer of ours is text. */
export async function resultOf(response: Response, method: string): Promise<LambdaResult> {
	return {
		statusCode: response.status,
		headers: Object.fromEntries(response.headers),
		body: method === 'HEAD' ? '' : await response.text(),
		isBase64Encoded: false,
	};
}
