/** Lets so many work at once; who comes then waits for a turn. */
export function turns(atOnce: number) {
	let free = atOnce;
	const waiting: (() => void)[] = [];

	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (free > 0) free -= 1;
		else await new Promise<void>((begin) => void waiting.push(begin));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free += 1;
		}
	};
}
