import { draw } from './draw.ts';
import styles from './icons.css?raw';
import { palette } from '../brand.ts';

interface Icon {
	/** Width and height, in pixels. */
	size: number;
	/** A class of `icons.css`: systems show the icon as it is, round its corners, or cut it to a shape of their own. */
	shape: 'whole' | 'rounded' | 'masked';
}

/** Square drawings for programs that cannot show SVG, by the name of the file without `.png`. */
export const icons: Record<string, Icon> = {
	'apple-touch-icon': { size: 180, shape: 'rounded' },
	'icon-192': { size: 192, shape: 'whole' },
	'icon-512': { size: 512, shape: 'whole' },
	'icon-maskable-512': { size: 512, shape: 'masked' },
};

/** Draws an icon in PNG. */
export const iconPng = (name: string): Promise<Buffer<ArrayBuffer>> => square(icons[name]!, 'png');

/** Draws `/favicon.ico`, for programs that look there whatever the page says. */
export const favicon = (): Promise<Buffer<ArrayBuffer>> => square({ size: 32, shape: 'whole' }, 'ico');

const square = ({ size, shape }: Icon, format: 'png' | 'ico') =>
	draw(
		{ type: 'container', className: shape, children: [{ type: 'image', src: 'logo', className: 'drawing' }] },
		{ width: size, height: size, format, css: [palette, styles] },
	);
