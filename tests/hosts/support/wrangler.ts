import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { onFreePorts } from '../../support/listening.ts';
import { TestProcess } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { assembled } from './assembled.ts';
import { tool } from './tools.ts';

/** Runs the worker and its files in workerd by `wrangler dev`, with these settings. @param database the one behind Hyperdrive */
export const startWrangler = (settings: Record<string, string>, database?: string) =>
	assembled(async (parts) => {
		const folder = parts.use(await temporaryFolder()).path;
		cpSync('var/test/dist/hosts/cloudflare', folder, { recursive: true });
		if (database !== undefined) bindHyperdrive(`${folder}/wrangler.jsonc`, database);
		const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
		writeFileSync(`${folder}/settings.env`, lines.join('\n'));
		return onFreePorts(async (port) => {
			const args = [wrangler, ...dev, '--port', String(port)];
			const program = parts.adopt(new TestProcess(args, { cwd: folder, env: { ...env, HOME: folder } }), end);
			await program.printed(/Ready on/);
			return { url: `http://127.0.0.1:${port}`, program };
		});
	});

const wrangler = tool('wrangler/bin/wrangler.js');
const quietly = '--inspector-port 0 --show-interactive-dev-session false';
const dev = `dev --local --env-file settings.env --ip 127.0.0.1 ${quietly}`.split(' ');
/** Keeps wrangler from asking for data, and from sending reports. */
const env = { CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', NO_COLOR: '1' };

/** Adds the binding as a build with `HYPERDRIVE_ID` does, with a target on this machine. */
function bindHyperdrive(file: string, localConnectionString: string): void {
	const configuration = JSON.parse(readFileSync(file, 'utf8')) as object;
	const hyperdrive = [{ binding: 'HYPERDRIVE', id: 'local', localConnectionString }];
	writeFileSync(file, JSON.stringify({ ...configuration, hyperdrive }));
}

/** Interrupts wrangler as at a terminal, so that it ends its runtime too. */
async function end(program: TestProcess): Promise<void> {
	program.signal('SIGINT');
	await program.exit();
}
