/** The command was called in a wrong way. The message says which way is right. */
export class ArgumentError extends Error {
	override name = 'ArgumentError';
}
