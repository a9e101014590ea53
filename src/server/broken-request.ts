import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { secured } from './send.ts';

/** What to answer to a request that Node's parser refuses, by the code of its error; otherwise 400. */
const statusOf: Record<string, { status: number; detail: string }> = {
	HPE_HEADER_OVERFLOW: { status: 431, detail: 'Send fewer or shorter headers: 16 KiB in all.' },
	HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'Send chunks without extensions.' },
	ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'Send the whole request sooner.' },
};
const malformed = { status: 400, detail: 'Send a request that follows HTTP/1.1 (RFC 9112).' };

/** Answers what is not HTTP, or comes too slowly or too large to be taken, and ends the connection. */
export function refuseBrokenRequests(log: Logger) {
	return (error: NodeJS.ErrnoException, socket: Socket): void => {
		if (error.code === 'ECONNRESET' || !socket.writable) {
			socket.destroy();
			return;
		}
		const { status, detail } = statusOf[error.code ?? ''] ?? malformed;
		log.debug({ code: error.code, status }, 'A broken request was refused.');
		socket.end(rawAnswer(status, detail), () => socket.destroy());
	};
}

function rawAnswer(status: number, detail: string): string {
	const title = STATUS_CODES[status]!;
	const body = JSON.stringify({ type: 'about:blank', title, status, detail });
	const headers = {
		...secured,
		'content-type': 'application/problem+json',
		'cache-control': 'no-store',
		'content-length': Buffer.byteLength(body),
		connection: 'close',
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	return [`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n');
}
