/**
 * Loaded before a program under test. At the first SIGUSR2 the runtime breaks its contract, with words that may be secret; at the
 * second it warns, and rejects a promise that nobody waits for; at the third it throws an exception that nobody catches.
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

process.on('SIGUSR2', () => breakages.shift()?.());

const failure = () =>
	new TypeError('Received type string (ana@clinicasol.example)', { cause: new Error('https://hooks.example/T000/secret') });
