import path from 'node:path';
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The settings of the production server in two deployments, beside a store of its own in a folder. */
const deployments = {
	/** Delivers into a mailbox, and limits nobody. */
	delivering: (folder: string) => ({ LEAD_RATE_LIMIT: 'off', LEAD_MAILBOX: folder }),
	/** Has no delivery configured. */
	undelivering: () => ({ LEAD_RATE_LIMIT: 'off' }),
};

/** The port of each, once it listens. All workers share the environment. */
export const ports = new Proxy({} as Record<keyof typeof deployments, string>, {
	get: (_, deployment) => process.env[`TEST_PORT_${String(deployment)}`],
});

/** Runs before the first test. @returns a function to run after the last */
export default async function startServers(): Promise<() => Promise<void>> {
	await using resources = new AsyncDisposableStack();
	const folder = resources.use(await temporaryFolder()).path;
	process.env['TEST_MAILBOX'] = folder;
	const entry = path.resolve('var/test/dist/server/entry.mjs');
	for (const [name, settingsIn] of Object.entries(deployments)) {
		const env = { PORT: '0', LEAD_STORE: `sqlite:${folder}/leads-${name}.db`, ...settingsIn(folder) };
		// Away from the project's .env, which may say where real leads go.
		const server = resources.use(new TestProcess([entry], { cwd: folder, env }));
		const [, port] = await server.printed(/"url":"http:\/\/localhost:(\d+)"/);
		process.env[`TEST_PORT_${name}`] = port;
	}
	const running = resources.move();
	return () => running.disposeAsync();
}
