/** Loaded before a program under test: at SIGUSR2 a minute passes for what it remembers, and it says so. */
const elapsed = performance.now.bind(performance);
let passed = 0;
performance.now = () => elapsed() + passed;
process.on('SIGUSR2', () => {
	passed += 60_000;
	console.log('A minute has passed.');
});
