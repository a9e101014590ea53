// @ts-check

/** The oldest Node.js that runs the build: the first that has SQLite without a flag. */
export const OLDEST_NODE = '22.13.0';

/** @type {(version: string) => string} To compare versions as texts: to load the rules of a language takes a twentieth of the start. */
const sortable = (version) => version.replace(/\d+/g, (part) => part.padStart(4, '0'));

/** @type {(script?: string, version?: string) => string | undefined} Returns why a Node.js cannot run a script, with the remedy, in one line. */
export function nodeFault(script = '', version = process.versions.node) {
	// From 22.18 on, Node.js runs TypeScript as it is.
	const oldest = script.endsWith('.ts') ? '22.18.0' : OLDEST_NODE;
	if (sortable(version) >= sortable(oldest)) return undefined;
	return `Node.js ${version} is too old for this: it needs ${oldest} or newer. Install that from https://nodejs.org, or run npm install --include=optional, which installs one in the project.`;
}

/** Ends the process on a Node.js that is too old, with one line. Programs call this first, because such a Node.js cannot load the rest. */
export function requireNode() {
	const fault = nodeFault();
	if (fault) {
		console.error(fault);
		process.exit(1);
	}
	// Node.js 22 calls its SQLite experimental, and we use it on purpose. Every other warning goes where it went before.
	const listeners = process.listeners('warning');
	process.removeAllListeners('warning').on('warning', (warning) => {
		if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return;
		for (const tell of listeners) tell(warning);
	});
}
