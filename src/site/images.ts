import sharp from 'sharp';
import { icon, lightDrawing, lightGround, sharedImage } from './brand.ts';

/** Every image that the build draws, by path. Sizes are in pixels. */
export const images: Record<string, { type: string; draw: () => Buffer | Promise<Buffer> }> = {
	'/favicon.svg': { type: 'image/svg+xml', draw: () => Buffer.from(icon) },
	/** For programs that ask for this path whatever the page says. They know a PNG by its bytes. */
	'/favicon.ico': { type: 'image/png', draw: () => drawn(32) },
	/** Apple's home screens round the corners. */
	'/apple-touch-icon.png': { type: 'image/png', draw: () => onGround({ width: 180, height: 180 }, 122) },
	[sharedImage.path]: { type: 'image/png', draw: () => onGround(sharedImage, 320) },
};

/** Draws the logo in PNG, in a square without a ground. */
const drawn = (size: number) =>
	sharp(Buffer.from(lightDrawing)).resize(size, size, { fit: 'contain', background: 'transparent' }).png().toBuffer();

/** Draws the logo in the middle of the light ground. */
async function onGround({ width, height }: { width: number; height: number }, size: number): Promise<Buffer> {
	const ground = sharp({ create: { width, height, channels: 3, background: lightGround! } });
	const input = await drawn(size);
	return ground.composite([{ input }]).png().toBuffer();
}
