import { readFileSync } from 'node:fs';
import { TestProcess } from '../../support/process.ts';
import { disposing } from '../../support/temporary-folder.ts';
import { tool } from './tools.ts';

/** Starts Vercel's own runtime for Node.js with the function of an output. */
export async function startVercelFunction(output: string, env: Record<string, string>) {
	const folder = `${output}/functions/api.func`;
	const { handler } = JSON.parse(readFileSync(`${folder}/.vc-config.json`, 'utf8')) as { handler: string };
	const settings = { cwd: folder, env: { VERCEL_DEV_ENTRYPOINT: handler, ...env } };
	const runtime = new TestProcess([tool('@vercel/node/dist/dev-server.mjs')], settings);
	const [, port] = await runtime.printed(/port: (\d+)/);
	return { url: `http://127.0.0.1:${port}`, ...disposing(runtime) };
}
