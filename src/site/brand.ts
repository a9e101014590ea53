import drawing from '../../content/logo.svg?raw';
import palette from '../../content/palette.css?raw';

/** Of the logo, in SVG. Its colours are names of the palette, so it must stand where that is known. */
export { drawing, palette };

/** The same with the palette in it, for where it stands alone. */
export const icon = drawing.replace(/<svg[^>]*>/, (start) => `${start}<style><![CDATA[${palette}]]></style>`);

const declarations = [...palette.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/(--[\w-]+):([^;}]+)/g)].map(
	([, name, value]): [string, string] => [name!, value!.trim()],
);
/** By name. The palette has each twice, light first. */
const dark = Object.fromEntries(declarations);
const light = Object.fromEntries(declarations.toReversed());

/** What pages stand on, in light and in dark: CSS colours, for where CSS does not reach. */
export const [lightGround, darkGround] = [light['--background'], dark['--background']];

/** The drawing in the light colours themselves, for what does not know the names of any. */
export const lightDrawing = drawing.replaceAll(/var\(\s*(--[\w-]+)\s*\)/g, (name: string, key: string) => light[key] ?? name);
