import path from 'node:path';
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Runs before the first test: starts the production server, which delivers into a mailbox and limits no client. All workers share the
 * environment.
 *
 * @returns a function to run after the last test
 */
export default async function start(): Promise<() => Promise<void>> {
	await using resources = new AsyncDisposableStack();
	const folder = resources.use(await temporaryFolder()).path;
	const env = { PORT: '0', LEAD_STORE: `sqlite:${folder}/leads.db`, LEAD_RATE_LIMIT: 'off', LEAD_MAILBOX: folder };
	// Away from the project's .env, which may say where real leads go.
	const server = resources.use(new TestProcess([path.resolve('var/test/dist/server/entry.mjs')], { cwd: folder, env }));
	const [, url] = await server.printed(/"url":"(.*?)"/);
	Object.assign(process.env, { TEST_URL: url, TEST_MAILBOX: folder });
	const running = resources.move();
	return () => running.disposeAsync();
}
