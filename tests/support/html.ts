import { FileSystemConfigLoader, formatterFactory, HtmlValidate } from 'html-validate';

const rules: Record<string, 'off' | ['error', object]> = {
	// The name of a firm is in each title, and may be long.
	'long-title': ['error', { maxlength: 100 }],
	// HTML forbids only white space: some languages have letters with marks in their ids.
	'valid-id': ['error', { relaxed: true }],
	// HTML allows `<img/>`.
	'void-style': 'off',
};
const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ['html-validate:recommended'], rules }));

export async function htmlMistakes(html: string): Promise<string> {
	const { results } = await validator.validateString(html);
	return formatterFactory('text')(results);
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** Returns HTML as text, with its escaped characters restored. */
export const unescaped = (html: string) =>
	html.replace(
		/&(?:#(\d+)|(lt|gt|quot|amp));/g,
		(_, code: string, name: string) => characters[name] ?? String.fromCharCode(Number(code)),
	);

/** Returns code as a reader of its page would copy it. */
export const codeIn = (html: string) => unescaped(html.replaceAll(/<[^>]*>/g, ''));
