import { FileSystemConfigLoader, formatterFactory, HtmlValidate } from 'html-validate';

/** HTML forbids white space only: an id of words has letters with marks in some languages. */
const rules: Record<string, ['error', object]> = { 'valid-id': ['error', { relaxed: true }] };
const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ['html-validate:recommended'], rules }));

/** What is wrong with a page, a line for each. */
export async function htmlMistakes(html: string): Promise<string> {
	const { results } = await validator.validateString(html);
	return formatterFactory('text')(results);
}
