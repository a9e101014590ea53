/** Loaded before a program under test: at each SIGUSR2 it collects garbage and prints the number of bytes in use. */
process.on('SIGUSR2', () => {
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	console.log(`{"inUse":${heapUsed + external}}`);
});
