import dns from 'dns2';

/** Records by name. */
export type Zone = Record<string, { txt?: string[]; mx?: string[]; a?: string[] }>;

const { TYPE, CLASS } = dns.Packet;

/** Starts a real DNS server with only these records: `address` is where to ask it. */
export async function startDns(zone: Zone) {
	const server = dns.createServer({
		udp: true,
		handle: (request, send) => {
			const response = dns.Packet.createResponseFromRequest(request);
			const [{ name = '', type } = {}] = request.questions as { name?: string; type?: number }[];
			const { txt = [], mx = [], a = [] } = zone[name.toLowerCase()] ?? {};
			const record = (of: number, data: object) => Object.assign(new dns.Packet.Resource(name, of, CLASS.IN, 60), data);
			const records = [
				// A string of a record has at most 255 bytes (RFC 1035 section 3.3).
				...txt.map((text) => record(TYPE.TXT, { data: text.match(/.{1,255}/g) })),
				...mx.map((exchange) => record(TYPE.MX, { exchange, priority: 10 })),
				...a.map((address) => record(TYPE.A, { address })),
			];
			response.answers.push(...records.filter((one) => one.type === type));
			void send(response);
		},
	});
	const { udp } = await server.listen({ udp: { address: '127.0.0.1', port: 0 } });
	return { address: `127.0.0.1:${udp!.port}`, [Symbol.asyncDispose]: () => server.close() };
}
