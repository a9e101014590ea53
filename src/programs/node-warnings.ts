/** Node.js 22 calls its SQLite experimental. We know that we use it. */
const isExpected = ({ name, message }: Error) => name === 'ExperimentalWarning' && message.startsWith('SQLite ');

/** Leaves out the one warning of Node.js that is expected. Every other goes where it went. */
export function hideExpectedWarning(): void {
	const listeners = process.listeners('warning');
	process.removeAllListeners('warning');
	process.on('warning', (warning) => {
		if (!isExpected(warning)) for (const tell of listeners) tell(warning);
	});
}
