/** The oldest Node.js that the build runs on: the first that has SQLite without a flag. */
export const OLDEST_NODE = '22.13.0';

/** Ends the process on an older one, and says so in one line. An older Node.js cannot load the rest: call this before. */
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
