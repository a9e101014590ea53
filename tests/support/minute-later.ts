/** Loaded before a program under test: at SIGUSR2 its clock moves ahead by a minute. */
const elapsed = performance.now.bind(performance);
let passed = 0;
performance.now = () => elapsed() + passed;
process.on('SIGUSR2', () => void (passed += 60_000));
