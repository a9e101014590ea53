import { TestProcess } from './process.ts';

export interface TestServer extends AsyncDisposable {
	/** Where it listens: an origin. */
	url: string;
	process: TestProcess;
}

type Environment = Record<string, string>;

/** The production server as `npm run test:build` built it, in a process of its own. */
export async function startServer(env: Environment = {}, args: string[] = []): Promise<TestServer> {
	const server = new TestProcess(['var/test/dist/server/entry.mjs', ...args], { env: { PORT: '0', ...env } });
	const [, url] = await server.printed(/"url":"(.*?)"/);
	return { url: url!, process: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** `astro dev`, through its own API: the command would refuse to run beside an editor's preview. */
export async function startDevelopment(env: Environment = {}): Promise<TestServer> {
	const script = `
		import { dev } from 'astro';
		const server = await dev({ server: { port: 0 }, devToolbar: { enabled: false }, logLevel: 'warn' });
		console.log('port ' + server.address.port);
	`;
	const args = ['--input-type=module', '--eval', script];
	const server = new TestProcess(args, { env: { ASTRO_TELEMETRY_DISABLED: '1', ...env } });
	const [, port] = await server.printed(/port (\d+)/);
	return { url: `http://localhost:${port}`, process: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
