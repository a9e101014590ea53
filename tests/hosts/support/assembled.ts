/** Makes an object of several parts. They end with it in reverse order, or at once if one of them fails to start. */
export async function assembled<Made extends object>(make: (parts: AsyncDisposableStack) => Promise<Made>) {
	await using parts = new AsyncDisposableStack();
	const made = await make(parts);
	const kept = parts.move();
	return { ...made, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
