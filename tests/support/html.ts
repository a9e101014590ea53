import { FileSystemConfigLoader, formatterFactory, HtmlValidate } from 'html-validate';

const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ['html-validate:recommended'] }));

/** What is wrong with a page, a line for each. */
export async function htmlMistakes(html: string): Promise<string> {
	const { results } = await validator.validateString(html);
	return formatterFactory('text')(results);
}
