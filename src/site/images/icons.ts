import { draw } from './draw.ts';
import styles from './icons.css?raw';
import { palette } from '../brand.ts';

interface Icon {
	/** Width and height, in pixels. */
	size: number;
	/** How it is laid out, a class of `icons.css`: for systems that show it as it is, that round its corners, or that cut it to a shape of theirs. */
	shape: 'whole' | 'rounded' | 'masked';
}

/** The drawing as a square, for what cannot show SVG: by the name of its file, without `.png`. */
export const icons: Record<string, Icon> = {
	'apple-touch-icon': { size: 180, shape: 'rounded' },
	'icon-192': { size: 192, shape: 'whole' },
	'icon-512': { size: 512, shape: 'whole' },
	'icon-maskable-512': { size: 512, shape: 'masked' },
};

/** In PNG. */
export const iconPng = (name: string): Promise<Buffer<ArrayBuffer>> => square(icons[name]!, 'png');

/** `/favicon.ico`: for what looks there, whatever the page says. */
export const favicon = (): Promise<Buffer<ArrayBuffer>> => square({ size: 32, shape: 'whole' }, 'ico');

const square = ({ size, shape }: Icon, format: 'png' | 'ico') =>
	draw(
		{ type: 'container', className: shape, children: [{ type: 'image', src: 'logo', className: 'drawing' }] },
		{ width: size, height: size, format, css: [palette, styles] },
	);
