import { createServer } from 'node:http';

/** Bare `node:http`: sends the recorded answers of our server from memory. No framework can do it with less. */
const recordings = JSON.parse(process.env.RECORDINGS);
const answers = new Map(
	recordings.map(({ path, status, headers, body }) => {
		const bytes = Buffer.from(body, 'base64');
		// Node.js sends a string in one piece with the headers, which is faster, so text is a string.
		return [path, { status, headers, body: headers['content-encoding'] ? bytes : bytes.toString() }];
	}),
);

createServer((request, response) => {
	const { status, headers, body } = answers.get(request.url);
	response.writeHead(status, headers).end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
