/**
 * Loaded before a program under test. At the first SIGUSR2 the next page cannot be made: an exception is thrown, and a promise without
 * a handler rejected. At the second the runtime warns. At the third it throws what nobody catches. All have words that may be secret.
 */
const breakages = [
	() => {
		const { Response } = globalThis;
		globalThis.Response = class extends Response {
			constructor(...args: ConstructorParameters<typeof Response>) {
				super(...args);
				globalThis.Response = Response;
				void Promise.reject(failure());
				throw failure();
			}
		};
	},
	() => process.emitWarning(failure()),
	() => {
		throw failure();
	},
];

process.on('SIGUSR2', () => breakages.shift()?.());

const failure = () =>
	new TypeError('Received type string (ana@clinicasol.example)', { cause: new Error('https://hooks.example/T000/secret') });
