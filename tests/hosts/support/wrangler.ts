import { cpSync, writeFileSync } from 'node:fs';
import { freePort } from '../../support/free-port.ts';
import { TestProcess } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tool } from './tools.ts';

/** The worker and its files in workerd, as `wrangler dev` runs them, with these settings. */
export async function startWrangler(settings: Record<string, string>) {
	const running = new AsyncDisposableStack();
	const folder = running.use(await temporaryFolder()).path;
	cpSync('var/test/dist/hosts/cloudflare', folder, { recursive: true });
	const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
	writeFileSync(`${folder}/settings.env`, lines.join('\n'));
	const port = String(await freePort());
	const program = running.adopt(
		new TestProcess(
			[
				...[tool('wrangler/bin/wrangler.js'), 'dev', '--local', '--ip', '127.0.0.1', '--port', port, '--inspector-port', '0'],
				...['--env-file', 'settings.env', '--show-interactive-dev-session', 'false'],
			],
			{
				cwd: folder,
				env: { HOME: folder, CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', NO_COLOR: '1' },
			},
		),
		end,
	);
	await program.printed(/Ready on/);
	return { url: `http://127.0.0.1:${port}`, program, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** As at a terminal, so that it ends its runtime too. */
async function end(program: TestProcess): Promise<void> {
	program.signal('SIGINT');
	await program.exit();
}
