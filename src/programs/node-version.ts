/** The oldest Node.js that runs the build: the first that has SQLite without a flag. */
export const OLDEST_NODE = '22.13.0';

/** Ends the process on an older Node.js, with one line. Call this first: an older one cannot load the rest. */
export function requireNode({ node } = process.versions): void {
	if (!isOlder(node)) return;
	console.error(`Node.js ${node} is too old for this: it needs ${OLDEST_NODE} or newer. Install that from https://nodejs.org.`);
	process.exit(1);
}

function isOlder(version: string): boolean {
	const [major = 0, minor = 0] = numbersOf(version);
	const [oldestMajor = 0, oldestMinor = 0] = numbersOf(OLDEST_NODE);
	return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

const numbersOf = (version: string) => version.split('.').map(Number);

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
