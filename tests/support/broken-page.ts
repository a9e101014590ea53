import process from 'node:process';

/**
 * Loaded before a program under test. After SIGUSR2 the next page cannot be rendered: an exception is thrown, and a promise that
 * nobody waits for is rejected, both with words that may be secret.
 */
process.on('SIGUSR2', () => {
	const { Response } = globalThis;
	globalThis.Response = class extends Response {
		constructor(...args: ConstructorParameters<typeof Response>) {
			super(...args);
			globalThis.Response = Response;
			void Promise.reject(failure());
			throw failure();
		}
	};
});

const failure = () => new TypeError('Received type string (ana@clinicasol.example)');
