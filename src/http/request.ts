/** What an operation needs to know of a request. A Web `Request` fits once the client's address stands beside it. */
export interface ClientRequest {
	method: string;
	headers: { get(name: string): string | null };
	body: AsyncIterable<Uint8Array> | null;
	/** The client's IP address, as far as `TRUST_PROXY` lets us know it. */
	address: string;
}
