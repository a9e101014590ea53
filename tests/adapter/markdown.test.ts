import { expect, test } from 'vitest';
import { markdownOf } from '../../src/adapter/markdown/page.ts';
import { API_ACCESS, paths } from '../../src/facts/links.ts';

/** Returns a page as our layout makes it. */
const page = (main: string, path = '/docs/example', language = 'en') => `<!doctype html><html lang="${language}"><head>
	<link rel="canonical" href="https://clinic-phone.test${path}">
	<link rel="alternate" type="text/markdown" href="${path}.md">
</head><body><header>Menu</header><main><div class="page">${main}</div></main><footer>Imprint</footer></body></html>`;

test('the search gets the text of a page by the headings that a link can lead to', () => {
	const text = '<p>One <em>two</em>,<br>three.</p><ul><li>Four</li><li>Five</li></ul>';
	const table = '<table><tr><th>Six</th><td><code>se  ven</code></td></tr></table>';
	const heading = '<h3 id="b"><a href="#b" rel="bookmark">B <code>c</code></a></h3>';
	const under = '<pre><code>{ d }\n</code></pre><h4>E</h4><p>f</p><footer>Foot</footer>';
	const found = markdownOf(page(`<nav>Menu</nav><h1>A &amp; O</h1>${text}<h2 id="t">T</h2>${table}${heading}${under}`));
	expect(found).toMatchObject({ path: '/docs/example.md', canonical: 'https://clinic-phone.test/docs/example', title: 'A & O' });
	expect(found?.parts).toEqual([
		{ text: 'One two, three. Four Five' },
		{ anchor: 't', heading: 'T', text: 'Six · se ven' },
		{ anchor: 'b', heading: 'B c', text: '{ d } E f' },
	]);
});

test.each([
	['a heading that is a link to its place', '<h2 id="b"><a href="#b" rel="bookmark">B</a></h2>', '## B\n'],
	['what is set off from the text', '<div role="note"><p>One</p><p>Two</p></div>', '> One\n>\n> Two\n'],
	['a link to a page', '<p><a href="/contact">Talk</a></p>', '[Talk](https://clinic-phone.test/contact)\n'],
	['a link within the page', '<p><a href="#a">A</a></p>', '[A](https://clinic-phone.test/docs/example#a)\n'],
	['what looks like a tag', '<p>Write &lt;Fact /&gt; here.</p>', 'Write \\<Fact /> here.\n'],
	['code', '<pre><code class="language-sh"><span>curl</span> <span>a</span>\n</code></pre>', '```sh\ncurl a\n```\n'],
	['a row heading', '<table><tr><th>A<td>B<tr><th scope="row">1 | 2<td>3</table>', '| A | B |\n| - | - |\n| 1 \\| 2 | 3 |\n'],
	['details', '<details><summary><span>200</span> Taken</summary><p>Yes.</p></details>', '**200 Taken**\n\nYes.\n'],
	['a definition', '<dl><div><dt><code>Vary</code></dt><dd>What.</dd></div></dl>', '- `Vary`\n\n  What.\n'],
	['no navigation and scripts', '<h1>A</h1><nav><h2>On this page</h2></nav><script>a()</script>', '# A\n'],
	['no templates and drawings', '<h1>A</h1><template><p>B</p></template><svg><title>C</title></svg>', '# A\n'],
])('%s, and nothing of what surrounds the main part', (_, main, expected) => {
	expect(markdownOf(page(main))?.text).toBe(expected);
});

/** Returns our form, in the words of a page. */
const formOf = (own: string) => `<form method="post" action="/api/contact" data-consent-rule="Ask them.">
	<label for="name">Ihr Name</label><input type="text" id="name" name="name" required>
	<label for="role">Role</label><select id="role" name="role"><option value="">–</option><option value="owner">A *co*-owner</option>
		<option value="other" selected>Other</option></select>
	<label for="message">Note <span>(optional)</span></label><p id="message-hint">No <b>patients’</b> data.</p>
	<textarea id="message" name="message" required></textarea>${own}
	<input type="checkbox" id="consent" name="consent" required value="on"><label for="consent">I agree</label>
	<input type="hidden" name="lang" value="en">
	<div aria-hidden="true"><label for="website">Empty</label><input type="text" id="website" name="website"></div>
	<button>Send</button>
</form>`;

test.each(['', '/de'])('a form becomes its fields, and how to send them or hand it over, in each language: %s', (start) => {
	const text = markdownOf(page(formOf(''), `${start}/contact`, start.slice(1) || 'en'))!.text;
	const [fields, operation, programs, people, consent] = text.trim().split('\n\n');
	expect(fields!.split('\n')).toEqual([
		'- **Ihr Name**: `name`, required.',
		'- **Role**: `role`, one of `owner` (A \\*co\\*-owner), `other` (Other).',
		// As the API has it, which the form may ask more than.
		'- **Note (optional)**: `message`. No **patients’** data.',
		'- **I agree**: `consent`, required, always `on`.',
	]);
	expect(operation).toContain('`POST https://clinic-phone.test/api/contact`');
	expect(programs).toMatch(/\[API reference\]\(https:\/\/clinic-phone\.test\/docs\/api\) says\.$/);
	const address = RegExp.escape(`https://clinic-phone.test${start}/contact`);
	expect(people).toMatch(RegExp(`\`${address}#name=Ana%20Ruiz&clinic=\\S+&email=\\S+&message=\\S+\`. That needs JavaScript`));
	expect(consent).toBe('Ask them.');
});

test('the form for API access says where it is, and which source and scopes a program sends in its place', () => {
	const boxes = ['contact:write', 'status:read'].map(
		(scope) => `<input type="checkbox" id="message-${scope}" name="${scope}"><label for="message-${scope}">${scope}</label>`,
	);
	const form = formOf(`${boxes.join('')}<input type="hidden" name="source" value="${API_ACCESS}">`);
	const html = page(form, '/contact').replace('/contact.md', `${paths.accessRequest}.md`);
	const [fields, , programs, people] = markdownOf(html)!.text.split('\n\n');
	expect(fields).toContain('- **status:read**: `message`, in its first line.');
	for (const text of ['`"source": "api-access"`', '`Scopes: contact:write, status:read`']) expect(programs).toContain(text);
	expect(people).toMatch(/`https:\/\/clinic-phone\.test\/contact\/api-access#name=Ana%20Ruiz&clinic=[^&]+&email=[^&]+`/);
});
