/** Node.js 22 calls its SQLite experimental. We use it on purpose. */
const isExpected = ({ name, message }: Error) => name === 'ExperimentalWarning' && message.startsWith('SQLite ');

/** Hides the one expected warning of Node.js. Every other goes where it went before. */
export function hideExpectedWarning(): void {
	const listeners = process.listeners('warning');
	process.removeAllListeners('warning');
	process.on('warning', (warning) => {
		if (!isExpected(warning)) for (const tell of listeners) tell(warning);
	});
}
