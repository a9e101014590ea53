import drawing from '../../content/logo.svg?raw';
import palette from '../../content/palette.css?raw';
import { ContentError } from '../service/content-error.ts';

/** Of the logo, in SVG. Its colours are names of the palette, so it must stand where that is known. */
export { drawing };

/** The same with the palette in it, for where it stands alone. */
export const icon = drawing.replace(/<svg[^>]*>/, (start) => `${start}<style><![CDATA[${palette}]]></style>`);

/**
 * A colour of the palette, for where CSS does not reach.
 *
 * @throws {ContentError} it is not there once for light and once for dark
 */
export function colour(name: string): { light: string; dark: string } {
	const [light, dark, ...more] = [...palette.matchAll(new RegExp(`${name}:\\s*([^;]+);`, 'g'))].map(([, value]) => value!);
	if (light !== undefined && dark !== undefined && more.length === 0) return { light, dark };
	throw new ContentError([`content/palette.css: wanted ${name} twice, first for light and then for dark.`]);
}
