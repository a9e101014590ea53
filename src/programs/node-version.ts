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
