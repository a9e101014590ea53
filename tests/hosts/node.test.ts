import { OLDEST_NODE } from '../../src/scripts/node-version.mjs';
import { nodeProgram } from '../support/node-program.ts';
import { startServer, startFunction } from '../support/server.ts';
import { testHost } from './contract.ts';

for (const version of [OLDEST_NODE, process.versions.node, '26.10.0']) {
	const [name, program] = [`Node.js ${version}`, () => nodeProgram(version)];
	testHost({ name, serves: 'everything', start: async (env) => startServer(env, [], await program()) });
	testHost({ name: `${name}, the function`, serves: 'operations', start: async (env) => startFunction(env, await program()) });
}
