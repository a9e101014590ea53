/** Content that cannot be published. The message is for the editor; a stack would only point into our code. */
export class ContentError extends Error {
	override name = 'ContentError';

	constructor(messages: string[]) {
		super(messages.join('\n'));
		this.stack = `${this.name}: ${this.message}`;
	}
}
