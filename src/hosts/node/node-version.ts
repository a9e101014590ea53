/** The oldest Node.js that runs the build: the first that has SQLite without a flag. */
export const OLDEST_NODE = '22.13.0';

/** Ends the process on an older Node.js, with one line. Call this first: an older one cannot load the rest. */
export function requireNode({ node } = process.versions): void {
	if (node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) return hideExpectedWarning();
	console.error(`Node.js ${node} is too old for this: it needs ${OLDEST_NODE} or newer. Install that from https://nodejs.org.`);
	process.exit(1);
}

/** Hides one warning: Node.js 22 calls its SQLite experimental, and we use it on purpose. Every other goes where it went before. */
function hideExpectedWarning(): void {
	const listeners = process.listeners('warning');
	process.removeAllListeners('warning');
	process.on('warning', (warning) => {
		if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return;
		for (const tell of listeners) tell(warning);
	});
}
