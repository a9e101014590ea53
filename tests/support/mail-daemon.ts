/** Returns why tests with a server are skipped, or undefined if they run. Prints it once, because a skipped test is silent. */
export function missing(name: string, installed: boolean): string | undefined {
	if (installed && process.getuid?.() === 0) return undefined;
	const reason = `${name} tests skipped: they need root and Debian’s ${name}, as .ci/run installs it.`;
	console.warn(reason);
	return reason;
}
