import drawing from '../../content/logo.svg?raw';
import palette from '../../content/palette.css?raw';
import { ContentError } from '../service/content-error.ts';

/** Of the logo, in SVG. Its colours are names of the palette, so it must stand where that is known. */
export { drawing };

/** The same with the palette in it, for where it stands alone. */
export const icon = drawing.replace(/<svg[^>]*>/, (start) => `${start}<style><![CDATA[${palette}]]></style>`);

/** What pages stand on, in light and in dark: CSS colours, for where CSS does not reach. */
export const [lightGround, darkGround] = valuesIn(palette).get('--background')!;

/**
 * Of each colour the value for light and that for dark.
 *
 * @throws {ContentError} one of them is missing
 */
function valuesIn(css: string): Map<string, [light: string, dark: string]> {
	const values = new Map<string, string[]>();
	for (const [, name = '', value = ''] of css.matchAll(/(--[\w-]+):\s*([^;]+);/g))
		values.set(name, [...(values.get(name) ?? []), value]);
	const odd = [...values].filter(([, found]) => found.length !== 2).map(([name]) => name);
	if (odd.length === 0) return values as Map<string, [string, string]>;
	throw new ContentError(odd.map((name) => `content/palette.css: wanted ${name} twice, first for light and then for dark.`));
}
