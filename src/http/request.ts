/** What an operation needs to know of a request. */
export interface ClientRequest {
	method: string;
	headers: { get(name: string): string | null };
	/** Takes the body, counting bytes as they come, and rejects with `BodyTooLarge` as soon as there are more than `limit`. */
	read(limit: number): Promise<Buffer>;
	/** The client's IP address, as far as `TRUST_PROXY` lets us know it; undefined where nobody says it. */
	address: string | undefined;
}
