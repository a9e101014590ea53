import { expect, test } from 'vitest';
import { startServer } from '../support/server.ts';

test('a server of today’s build says nothing of security.txt', async () => {
	await using server = await startServer();
	expect(server.process.output).not.toContain('security.txt');
});

test('a server that runs on tells its operator, day by day, that the security.txt of its build is about to expire', async () => {
	await using server = await startServer({}, [], ['--import', './tests/support/short-days.ts']);
	const warnings = () => server.process.log.filter(({ level, msg }) => level === 'warn' && /security\.txt/.test(String(msg)));
	await expect.poll(() => warnings().length).toBeGreaterThan(1);
});
