import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The data of a record, by its type. `MX`: the exchange, `''` for none. */
type Records = Partial<Record<keyof typeof numbers, string>>;
/** A domain's records, a response code, or no answer at all. */
type Answer = Records | 'no such name' | 'failure' | 'silence';

const numbers = { A: 1, MX: 15, AAAA: 28 };
const codes = { 'no such name': 3, failure: 2 };

/** Starts a DNS server that knows these domains, and no other. */
export async function startDnsServer(domains: Record<string, Answer>) {
	const socket = createSocket('udp4');
	/** Such as `MX clinicasol.example`. */
	const asked: string[] = [];
	socket.on('message', (query, { port, address }) => {
		const end = query.indexOf(0, 12);
		const domain = nameIn(query.subarray(12, end));
		const types = Object.keys(numbers) as (keyof Records)[];
		const type = types.find((name) => numbers[name] === query.readUInt16BE(end + 1))!;
		asked.push(`${type} ${domain}`);
		const answer = domains[domain] ?? 'no such name';
		if (answer === 'silence') return;
		const data = typeof answer === 'object' ? answer[type] : undefined;
		const record = data === undefined ? Buffer.alloc(0) : recordOf(type, data);
		const header = Buffer.from(query.subarray(0, 12));
		// A response, with recursion (RFC 1035 section 4.1.1), without the extension that the query may have.
		header.writeUInt16BE(0x81_80 + (typeof answer === 'string' ? codes[answer] : 0), 2);
		header.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
		header.writeUInt32BE(0, 8);
		socket.send(Buffer.concat([header, query.subarray(12, end + 5), record]), port, address);
	});
	socket.bind(0, '127.0.0.1');
	await once(socket, 'listening');
	return {
		address: `127.0.0.1:${socket.address().port}`,
		asked,
		[Symbol.asyncDispose]: async () => void (await new Promise<void>((closed) => socket.close(closed))),
	};
}

function nameIn(labels: Buffer): string {
	const length = labels[0]!;
	const rest = labels.subarray(length + 1);
	return labels.subarray(1, length + 1).toString() + (rest.length > 0 ? `.${nameIn(rest)}` : '');
}

const labelsOf = (name: string) =>
	Buffer.concat([...name.split('.').filter(Boolean), ''].map((label) => Buffer.from([label.length, ...Buffer.from(label)])));

/** Returns a record of the name that was asked for. */
function recordOf(type: keyof Records, value: string): Buffer {
	const data = {
		A: () => Buffer.from(value.split('.').map(Number)),
		AAAA: () => Buffer.from(value.padStart(32, '0'), 'hex'),
		MX: () => Buffer.concat([Buffer.alloc(2), labelsOf(value)]),
	}[type]();
	const header = Buffer.from([0xc0, 12, 0, numbers[type], 0, 1, 0, 0, 0, 60, 0, data.length]);
	return Buffer.concat([header, data]);
}
