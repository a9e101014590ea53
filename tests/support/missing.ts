/** Returns why tests are skipped, or undefined if they run. Prints it once, because a skipped test is silent. */
export function missing(tests: string, runs: unknown, remedy: string): string | undefined {
	if (runs) return undefined;
	const reason = `${tests} tests skipped: ${remedy}`;
	console.warn(reason);
	return reason;
}

/** Returns why tests are skipped that need a server of Debian's which starts as root. */
export const missingDaemon = (name: string, installed: boolean) =>
	missing(name, installed && process.getuid?.() === 0, `they need root and Debian’s ${name}, as .ci/run installs it.`);
