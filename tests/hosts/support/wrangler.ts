import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { onFreePorts } from '../../support/listening.ts';
import { TestProcess } from '../../support/process.ts';
import { disposing, temporaryFolder } from '../../support/temporary-folder.ts';
import { tool } from './tools.ts';

/** Runs the worker and its files in workerd by `wrangler dev`, with these settings. @param database the one behind Hyperdrive */
export async function startWrangler(settings: Record<string, string>, database?: string) {
	const folder = await temporaryFolder();
	const { path } = folder;
	cpSync('var/test/dist/hosts/cloudflare', path, { recursive: true });
	if (database !== undefined) bindHyperdrive(`${path}/wrangler.jsonc`, database);
	const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
	writeFileSync(`${path}/settings.env`, lines.join('\n'));
	const { started, port } = await onFreePorts(async (port) => {
		const args = [wrangler, ...dev, '--port', String(port)];
		// As at a terminal, so that it ends its runtime too.
		const program = new TestProcess(args, { cwd: path, env: { ...env, HOME: path }, end: 'INT' });
		await program.printed(/Ready on/);
		return program;
	});
	return { url: `http://127.0.0.1:${port}`, program: started, ...disposing(started, folder) };
}

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
