import path from 'node:path';
import { TestProcess } from './process.ts';
import type { TestServer } from './server.ts';

/** Starts the function of `npm run test:build`. A bare server of Node.js calls it as a host would, with only this environment. */
export async function startFunction(env: Record<string, string> = {}, program?: string): Promise<TestServer> {
	const script = `
		import { createServer } from 'node:http';
		import { handler } from '${path.resolve('var/test/dist')}/server/function.mjs';
		const server = createServer(handler).listen(0, '127.0.0.1', () => console.log('at http://127.0.0.1:' + server.address().port + ' '));
	`;
	const server = new TestProcess(['--input-type=module', '--eval', script], { env, program });
	const [, url] = await server.printed(/at (http:\S+) /);
	return { url: url!, process: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
