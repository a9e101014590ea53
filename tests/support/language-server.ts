import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js';
import { tethered } from './tether.ts';

interface Found {
	uri: string;
	diagnostics: { message: string; range: { start: { line: number } } }[];
}

/**
 * Starts a language server as an editor does that has this project open, over its standard input and output.
 *
 * @param program the URL of its file
 * @param settings the editor's, by section
 */
export async function startLanguageServer(program: string, settings: Record<string, unknown>, initializationOptions = {}) {
	const args = [fileURLToPath(program), '--stdio'];
	const server = tethered(() => spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
	const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
	connection.onRequest('client/registerCapability', () => null);
	connection.onRequest('workspace/configuration', ({ items }: { items: { section: string }[] }) =>
		items.map(({ section }) => settings[section] ?? null),
	);
	connection.listen();
	const uri = pathToFileURL('.').href;
	await connection.sendRequest('initialize', {
		processId: process.pid,
		rootUri: uri,
		workspaceFolders: [{ uri, name: 'project' }],
		initializationOptions,
		capabilities: { workspace: { configuration: true, workspaceFolders: true } },
	});
	await connection.sendNotification('initialized', {});
	return {
		/** Opens a file with this text, once, and returns what the server finds: line and message. */
		async open(file: string, text: string): Promise<string[]> {
			const uri = pathToFileURL(file).href;
			const published = new Promise<Found['diagnostics']>((resolve) => {
				connection.onNotification('textDocument/publishDiagnostics', (found: Found) => {
					if (found.uri === uri) resolve(found.diagnostics);
				});
			});
			const languageId = path.extname(file).slice(1);
			await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
			const asked = connection.sendRequest<{ items: Found['diagnostics'] }>('textDocument/diagnostic', { textDocument: { uri } });
			// A server that nobody can ask publishes instead; one that can be asked publishes what it finds first, and then the rest.
			const found = await asked.then(
				({ items }) => items,
				() => published,
			);
			return found.map(({ message, range }) => `${range.start.line + 1}: ${message}`);
		},
		async [Symbol.asyncDispose]() {
			connection.dispose();
			if (server.kill()) await once(server, 'exit');
		},
	};
}
