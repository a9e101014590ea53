import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Opens a connection, to send bytes that no client library would send. It may end in any way. */
export async function openConnection(url: string): Promise<Socket> {
	const { hostname, port } = new URL(url);
	const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
	await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
	socket.on('error', () => {});
	return socket;
}

/** The bytes of a lead, or of any other body in ASCII. @param headers by default its length */
export const posted = (body: string, headers = `Content-Length: ${body.length}`) =>
	`POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

/** Returns the next answer, which is JSON, or the part of it that came before the connection ended or was reset. */
export async function nextAnswer(socket: Socket): Promise<string> {
	let answer = '';
	try {
		for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
			answer += String(chunk);
			if (answer.endsWith('}')) break;
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
	}
	return answer;
}

/** Sends bytes unchanged, and returns all that came back until the server closed the connection. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
	const socket = await openConnection(url);
	socket.write(bytes);
	const answer = await text(socket).catch(() => '');
	socket.destroy();
	return answer;
}

export const statusesOf = (answers: string): number[] =>
	[...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
