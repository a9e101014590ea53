import { paletteNames } from '../../src/content-check/rules/palette.ts';
import { copyOfProject } from '../support/project-copy.ts';

/** Each colour on a line of its own. */
const colours = paletteNames('.').map((name) => `\t\t${name}: ${name === '--shadow' ? '0 1px 2px #0008' : '#336699'};\n`);

/** Files that replace our own. */
const brand: Record<string, string> = {
	'content/palette.css': [
		':root {\n',
		...colours,
		'}\n@media (prefers-color-scheme: dark) {\n\t:root {\n',
		...colours,
		'\t}\n}\n',
	].join(''),
	'content/logo.svg': [
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
		'\t<path fill="var(--accent)" d="M0 0h32v12z" />',
		'\t<path fill="var(--warm)" d="M0 32h32v-12z" />',
		'</svg>\n',
	].join('\n'),
};
/** The line of the palette at which its dark colours begin. */
export const firstDarkLine = colours.length + 4;

/** Copies the project with a palette and a logo of which the tests know each line. */
export async function copyOfAnotherBrand() {
	const copy = await copyOfProject();
	for (const [file, text] of Object.entries(brand)) await copy.write(file, text);
	return copy;
}
