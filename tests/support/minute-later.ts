/** Loaded before a program under test: at SIGUSR2 its clock moves ahead by a minute, and it prints that. */
const elapsed = performance.now.bind(performance);
let passed = 0;
performance.now = () => elapsed() + passed;
process.on('SIGUSR2', () => {
	passed += 60_000;
	console.log('A minute has passed.');
});
