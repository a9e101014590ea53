import { expect, test } from 'vitest';
import { csv } from '../../../src/command/leads/export.ts';

test.each([
	['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
	['+34 600 123 456', `"'+34 600 123 456"`],
	['-1', `"'-1"`],
	['@SUM(A1)', `"'@SUM(A1)"`],
	['\t=1', `"'\t=1"`],
	['\rtext', `"'\rtext"`],
	['\ntext', `"'\ntext"`],
	['＝1', `"'＝1"`],
	['＋1', `"'＋1"`],
	['－1', `"'－1"`],
	['＠A1', `"'＠A1"`],
	['  =1', `"'  =1"`],
	['a=b, "c"\n=d', `"a=b, ""c""\n=d"`],
	['', '""'],
	[-1, '"-1"'],
])('the cell %j is written %j', (value, written) => {
	expect(csv([[value]])).toBe(`${written}\r\n`);
});

test('rows end with CRLF and cells are parted by commas', () => {
	expect(
		csv([
			['a', 'b'],
			['c', 'd'],
		]),
	).toBe('"a","b"\r\n"c","d"\r\n');
});
