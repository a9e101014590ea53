/** Content that cannot be published. The messages are for the editor; a stack would only point into our code. */
export class ContentError extends Error {
	override name = 'ContentError';
	readonly messages: string[];

	constructor(messages: string[]) {
		super(messages.join('\n'));
		this.messages = messages;
		this.stack = `${this.name}: ${this.message}`;
	}

	/** Without its messages: where Astro finds a word such as `window` in this, it adds a hint about browsers. */
	override toString(): string {
		return this.name;
	}
}
