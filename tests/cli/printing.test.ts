import { expect, test } from 'vitest';
import { printable } from '../../src/cli/printing.ts';

test('control characters do not reach the terminal', () => {
	expect(printable('a\u001B[2J\u009B31m\u0007\rb\tc\r\n')).toBe('a\uFFFD[2J\uFFFD31m\uFFFD\uFFFDb\tc\r\n');
});
