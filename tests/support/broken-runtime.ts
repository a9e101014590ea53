/** Loaded before a program under test: on SIGUSR2 the runtime breaks its promises, in words that may be nobody's to read. */
const failure = () => {
	throw new TypeError('Received type string (ana@clinicasol.example)', { cause: new Error('https://hooks.example/T000/secret') });
};

process.once('SIGUSR2', () => {
	TextDecoder.prototype.decode = failure;
	process.once('SIGUSR2', () => void Promise.reject(new Error('ana@clinicasol.example')));
	console.log('broken');
});
