import { expect, test } from 'vitest';
import { startServer } from '../support/server.ts';

test('a server of today’s build says nothing of security.txt', async () => {
	await using server = await startServer();
	expect(server.process.output).not.toContain('security.txt');
});

test('a server that runs on tells its operator, day by day, that the security.txt of its build is about to expire', async () => {
	await using server = await startServer({}, [], ['--import', './tests/support/short-days.ts']);
	await server.process.printed(/("level":"warn".*security\.txt is old[^]*){2}/);
});
