import path from 'node:path';
import { TestProcess } from './process.ts';
import type { TestServer } from './server.ts';

/** The function as `npm run test:build` built it, called by a bare server of Node.js as a host would, with this environment only. */
export async function startFunction(
	env: Record<string, string> = {},
	dist = 'var/test/dist',
	program?: string,
): Promise<TestServer> {
	const script = `
		import { createServer } from 'node:http';
		import { handler } from '${path.resolve(dist)}/server/function.mjs';
		const server = createServer(handler).listen(0, '127.0.0.1', () => console.log('at http://127.0.0.1:' + server.address().port + ' '));
	`;
	const server = new TestProcess(['--input-type=module', '--eval', script], { env, program });
	const [, url] = await server.printed(/at (http:\S+) /);
	return { url: url!, process: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
