import { OLDEST_NODE } from '../../src/scripts/node-version.mjs';
import { nodeProgram } from '../support/node-program.ts';
import { startServer, startFunction } from '../support/server.ts';
import { testHost } from './contract.ts';

for (const version of [OLDEST_NODE, process.versions.node, '26.10.0']) {
	testHost({
		name: `Node.js ${version}`,
		serves: 'everything',
		start: async (settings) => startServer(settings, [], await nodeProgram(version)),
	});

	testHost({
		name: `Node.js ${version}, the function`,
		serves: 'operations',
		start: async (settings) => startFunction(settings, await nodeProgram(version)),
	});
}
