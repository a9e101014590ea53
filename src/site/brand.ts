import drawing from '../../content/logo.svg?raw';
import palette from '../../content/palette.css?raw';

/** Of the logo, in SVG. Its colours are names of the palette, so it must stand where that is known. */
export { drawing };

/** The same with the palette in it, for where it stands alone. */
export const icon = drawing.replace(/<svg[^>]*>/, (start) => `${start}<style><![CDATA[${palette}]]></style>`);

const grounds = palette.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/--background:([^;}]+)/g);

/** What pages stand on, in light and in dark: CSS colours, for where CSS does not reach. The palette has each once, light first. */
export const [lightGround, darkGround] = Array.from(grounds, ([, value]) => value!.trim());
