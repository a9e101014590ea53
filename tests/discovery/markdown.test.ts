import { expect, test } from 'vitest';
import { mdxToMarkdown } from '../../src/discovery/markdown.ts';
import { facts, service } from '../../src/facts/load.ts';
import { origin } from './published.ts';

const markdownOf = (text: string) => mdxToMarkdown(text, 'content/auth.mdx', { origin, service, facts });

test.each([
	['---\nname: "{{name}}"\n---\n\n# <Fact name="name" />\n', `---\nname: "${service.name}"\n---\n\n# ${service.name}\n`],
	['<Link to="email.sales" />\n', `[${service.emails.sales}](mailto:${service.emails.sales})\n`],
	['[docs](/docs#a), <Link to="path.contact">*form*</Link>\n', `[docs](${origin}/docs#a), [*form*](${origin}/contact)\n`],
	['<code><Fact name="scopes" /></code>\n', `\`${facts['scopes']}\`\n`],
	['```\n{{scopes}}\n```\n', `\`\`\`\n${facts['scopes']}\n\`\`\`\n`],
	[`- a\n\n<When keys="${service.keys}">\n\n- b\n\n</When>\n\n- c\n`, '- a\n\n- b\n\n- c\n'],
	['a\n\n<When absent="name">\n\nb\n\n</When>\n\nc <When absent="name">d</When>\n', 'a\n\nc \n'],
])('a text for programs in MDX is published as Markdown: %j', (text, published) => expect(markdownOf(text)).toBe(published));

test('a component for pages is a mistake, with its line', () => {
	expect(() => markdownOf('a\n\n<Box kind="note">\n\nb\n\n</Box>\n')).toThrow(/^content\/auth\.mdx:3: found <Box>/);
});
