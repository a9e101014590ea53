/**
 * Loaded before a program under test. At the first SIGUSR2 the runtime breaks its promises, in words that may be nobody's to read;
 * at the second a warning is given, and a promise rejected that nobody waits for; at the third something is thrown that nobody catches.
 */
const breakages = [
	() => {
		TextDecoder.prototype.decode = () => {
			throw failure();
		};
	},
	() => {
		process.emitWarning(failure());
		void Promise.reject(failure());
	},
	() => {
		throw failure();
	},
];

process.on('SIGUSR2', () => {
	console.log('broken');
	breakages.shift()?.();
});

const failure = () =>
	new TypeError('Received type string (ana@clinicasol.example)', { cause: new Error('https://hooks.example/T000/secret') });
