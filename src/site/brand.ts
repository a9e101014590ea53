import drawing from '../../content/logo.svg?raw';
import palette from '../../content/palette.css?raw';

/** The logo in SVG. Its colours are names of the palette, so it works only where the palette is loaded. */
export { drawing, palette };

/** The logo with the palette in it, for use on its own. */
export const icon = drawing.replace(/<svg[^>]*>/, (start) => `${start}<style><![CDATA[${palette}]]></style>`);

const declarations = [...palette.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/(--[\w-]+):([^;}]+)/g)].map(
	([, name, value]): [string, string] => [name!, value!.trim()],
);
/** By name. The palette has each twice, light first. */
const dark = Object.fromEntries(declarations);
const light = Object.fromEntries(declarations.toReversed());

/** The background of pages, light and dark, as CSS colours, for places that style sheets do not reach. */
export const [lightGround, darkGround] = [light['--background'], dark['--background']];

/** The drawing in the light colours themselves, for what does not know the names of any. */
export const lightDrawing = drawing.replaceAll(/var\(\s*(--[\w-]+)\s*\)/g, (name: string, key: string) => light[key] ?? name);
