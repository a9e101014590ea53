import { Agent, type Dispatcher, request } from 'undici';

export type RawAnswer = Awaited<ReturnType<typeof fetchRaw>>;

/** `ca` is the certificate to trust over https, in PEM. */
interface RawRequest extends Partial<Record<'method' | 'ca' | 'localAddress', string>> {
	headers?: Record<string, string>;
	body?: string | Buffer | undefined;
}

/** Requests as `fetch` cannot: leaves the body encoded, shows the encoding, and adds no headers. */
export async function fetchRaw(url: string, { method = 'GET', headers = {}, body, ca, localAddress }: RawRequest = {}) {
	const agent = new Agent({ ...(localAddress && { localAddress }), connect: { ca }, allowH2: false });
	const answer = await request(url, { dispatcher: agent, method: method as Dispatcher.HttpMethod, headers, body: body ?? null });
	const read = Buffer.from(await answer.body.arrayBuffer());
	await agent.close();
	return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body: read };
}
