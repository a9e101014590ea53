import * as z from 'zod';

export const PALETTE = 'content/palette.yaml';

const wish = { error: "a colour in quotes, such as '#336699', 'rgb(…)' or 'hsl(…)'" };
/** A colour in a notation that every program here understands: browsers, drawing programs, and the library that draws images. */
const colour = z.string(wish).regex(/^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]+|(rgb|hsl)a?\([^()]*\))$/i, wish);

/** One value for each name. Styles and the logo use it by the name: `var(--accent)`. */
const schemeSchema = z.strictObject({
	background: colour.describe("The page, and the browser's frame."),
	surface: colour.describe('Boxes on the page, and fields.'),
	tint: colour.describe('Parts that are set off.'),
	paper: colour.describe('The slip with a message: light in the dark too.'),
	shadow: z
		.string()
		.regex(/^[^;{}<&]+$/, { error: "a shadow as in CSS, such as '0 1px 2px #0008'" })
		.describe('The shadow of a box: `box-shadow` in CSS.'),
	text: colour,
	muted: colour.describe('Less important text: hints, captions.'),
	border: colour.describe('Lines of tables and cards.'),
	control: colour.describe('Lines of fields.'),
	accent: colour.describe('Links and buttons.'),
	'accent-strong': colour.describe('A link or button under the pointer.'),
	'on-accent': colour.describe('Text on a button.'),
	warm: colour.describe('A second colour, for decoration.'),
	night: colour.describe('The band that ends the start page, and text on paper.'),
	'on-night': colour.describe('Text on that band.'),
	error: colour,
	'error-tint': colour.describe('The ground of an error.'),
	'code-name': colour.describe('Names in code.'),
	'code-text': colour.describe('Texts in code.'),
	'code-value': colour.describe('Values in code.'),
});

export const paletteSchema = z.strictObject({ light: schemeSchema, dark: schemeSchema });

export type Palette = z.output<typeof paletteSchema>;

/** The names by which styles use the colours: `--accent`. */
export const paletteNames = Object.keys(schemeSchema.shape).map((name) => `--${name}`);

/** Returns the colours in CSS, light or dark as the reader's system is. @param names leaves out all others */
export function paletteCss({ light, dark }: Palette, names: readonly string[] = paletteNames): string {
	const declared = (scheme: Record<string, string>) => names.map((name) => `${name}:${scheme[name.slice(2)]}`).join(';');
	return `:root{color-scheme:light dark;${declared(light)}}@media (prefers-color-scheme:dark){:root{${declared(dark)}}}`;
}
