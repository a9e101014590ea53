import { expect, test } from 'vitest';
import { csv } from '../../src/cli/export.ts';

test.each([
	['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
	['+34 600 123 456', `"'+34 600 123 456"`],
	['-1', `"'-1"`],
	['@SUM(A1)', `"'@SUM(A1)"`],
	['\t=1', `"\t'=1"`],
	['\r=1', `"\r'=1"`],
	['\n=1', `"\n'=1"`],
	['＝1', `"'＝1"`],
	['＋1', `"'＋1"`],
	['－1', `"'－1"`],
	['＠A1', `"'＠A1"`],
	['  =1', `"'  =1"`],
	['a=b, "c"', `"a=b, ""c"""`],
	['a; b\n\nc', `"a; b\n\nc"`],
	['', '""'],
	[-1, '"-1"'],
])('the cell %j is written %j', (value, written) => {
	expect(csv([[value]])).toBe(`${written}\r\n`);
});

/** Reads as Excel does where semicolons part cells: text behind a closing quote belongs to the cell, and its quotes mean nothing. */
const cellsBySemicolon = (text: string) =>
	[...text.matchAll(/(?:"((?:[^"]|"")*)")?([^;\r\n]*)(?:;|\r\n|\n|$)/g)].map(
		([, quoted = '', rest]) => quoted.replaceAll('""', '"') + rest,
	);

test.each(['a;=1+1;b', 'a; =1+1;b', 'a\n=1+1\nb', 'a;"=1+1;b', 'a\n" "+1;b', 'a;＝1+1;b', 'a\n\n-1\n'])(
	'a spreadsheet that expects semicolons sees no formula in %j',
	(text) => {
		const cells = cellsBySemicolon(csv([['id', text, 'x']]));
		expect(cells.length).toBeGreaterThan(2);
		expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
	},
);
