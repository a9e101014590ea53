import path from 'node:path';
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts the server for all tests, which delivers into a mailbox and limits no client. @returns a function to run after the last test */
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
