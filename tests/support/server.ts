import { existsSync } from 'node:fs';
import path from 'node:path';
import { TestProcess } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

export type TestServer = Awaited<ReturnType<typeof start>>;

type Environment = Record<string, string>;

/** Starts the production server that `npm run test:build` built, in its own process, with its own store. */
export async function startServer(env: Environment = {}, nodeArgs: string[] = [], program?: string) {
	if (!existsSync(BUILT)) throw new Error(`There is no ${BUILT}. Build for the tests first: npm run test:build`);
	const folder = await temporaryFolder();
	const all = { PORT: '0', LEAD_STORE: `sqlite:${folder.path}/leads.db`, ...env };
	const server = await start([...nodeArgs, BUILT], all, LISTENS, program);
	return { ...server, ...disposing(server, folder) };
}

const LISTENS = /"url":"(.*?)"/;
const BUILT = 'var/test/dist/server/entry.mjs';

/** Starts the production server of another build, without a store unless the settings name one. */
export const startBuilt = (dist: string, env: Environment = {}) =>
	start([`${dist}/server/entry.mjs`], { PORT: '0', LEAD_STORE: 'none', ...env }, LISTENS);

/** Starts the server so that it can be restarted where it is: at an address of its own, so that no program takes its port in between. */
export async function startRestartable(env: Environment) {
	restartable += 1;
	const host = `127.${1 + restartable}.${(process.pid >> 8) & 255}.${process.pid & 255}`;
	let server = await startServer({ ...env, HOST: host });
	const { port } = new URL(server.url);
	return {
		url: server.url,
		async restart(): Promise<void> {
			const code = await server.process.stop();
			if (code !== 0) throw new Error(`The server did not end well:\n${server.process.output}`);
			await server[Symbol.asyncDispose]();
			server = await startServer({ ...env, HOST: host, PORT: port });
		},
		[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
	};
}

let restartable = 0;

/** Starts `astro dev` through its API: the command would refuse to run beside an editor's preview. It has no limit, and no store. */
export const startDevelopment = () =>
	startScript(
		`import { dev } from 'astro';
		// The server watches files for editors. Here it would start anew whenever a test copies the project.
		const vite = { server: { watch: { ignored: ['**'] } } };
		const server = await dev({ server: { port: 0 }, devToolbar: { enabled: false }, logLevel: 'warn', vite });
		console.log('at http://localhost:' + server.address.port + ' ');`,
		{ ASTRO_TELEMETRY_DISABLED: '1', LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' },
	);

/** Starts the function of `npm run test:build`. A bare server of Node.js calls it as a host would, with only this environment. */
export const startFunction = (env: Environment = {}, program?: string) =>
	startScript(
		`import { createServer } from 'node:http';
		import { handler } from '${path.resolve('var/test/dist')}/server/function.mjs';
		const server = createServer(handler).listen(0, '127.0.0.1', () => console.log('at http://127.0.0.1:' + server.address().port + ' '));`,
		env,
		program,
	);

const startScript = (script: string, env: Environment, program?: string) =>
	start(['--input-type=module', '--eval', script], env, /at (http:\S+) /, program);

async function start(args: string[], env: Environment, ready: RegExp, program?: string) {
	const server = new TestProcess(args, { env, program });
	const [, url] = await server.printed(ready);
	return { url: url!, process: server, ...disposing(server) };
}
