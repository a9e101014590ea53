import file from '../../content/logo.svg?raw';
import palette from '../../content/palette.yaml';
import { service } from '../facts/load.ts';
import { paletteCss, paletteNames } from '../facts/palette.ts';

/** Returns the title for the browser's tab: our name follows behind a mark that is the same in all languages. */
export const withName = (title: string): string => (title.includes(service.name) ? title : `${title} · ${service.name}`);

/** The logo in SVG, without what drawing programs write before it. It names colours of the palette, so a page must have the palette. */
const drawing = file.replace(/^[^]*?(?=<svg\s)/, '');

/** The drawing in HTML, without what HTML does not need. */
export const inlineDrawing = drawing.replace(' xmlns="http://www.w3.org/2000/svg"', '').replaceAll(/>\s+</g, '><').trim();

const used = paletteNames.filter((name) => new RegExp(`var\\(\\s*${name}\\s*\\)`).test(drawing));

/** The logo with its colours in it, for use on its own. */
export const icon = drawing.replace(/<svg[^>]*>/, `$&<style>${paletteCss(palette, used)}</style>`);

const { light, dark } = palette;
/** The background of pages, light and dark, as CSS colours, for places without style sheets. */
export const [lightGround, darkGround] = [light.background, dark.background];

/** The image that shared links to the site show. Chat services and social networks show this size uncropped. */
export const sharedImage = { path: '/shared.png', width: 1200, height: 630 };

/** The drawing with the values of the light colours, for renderers that do not know names of colours. */
export const lightDrawing = drawing.replaceAll(/var\(\s*--([\w-]+)\s*\)/g, (_, name: keyof typeof light) => light[name]);
