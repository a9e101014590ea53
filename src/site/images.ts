import sharp from 'sharp';
import { lightDrawing, lightGround, sharedImage } from './brand.ts';

/** Our drawing in the middle of the light ground, by path. Sizes are in pixels. */
const images: Record<string, { width: number; height: number; drawing: number }> = {
	/** Apple's home screens round its corners. */
	'/apple-touch-icon.png': { width: 180, height: 180, drawing: 122 },
	[sharedImage.path]: { ...sharedImage, drawing: 320 },
};

export const imagePaths = Object.keys(images);

/** Draws an image in PNG. */
export async function imagePng(path: string): Promise<Buffer<ArrayBuffer>> {
	const { width, height, drawing } = images[path]!;
	const ground = sharp({ create: { width, height, channels: 3, background: lightGround! } });
	return (await ground
		.composite([{ input: await drawn(drawing) }])
		.png()
		.toBuffer()) as Buffer<ArrayBuffer>;
}

/** Draws `/favicon.ico`, for programs that look there whatever the page says: a PNG behind the headers of an ICO. */
export async function favicon(): Promise<Buffer<ArrayBuffer>> {
	const size = 32;
	const png = await drawn(size);
	const headers = Buffer.alloc(22);
	headers.set([0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 32, 0]);
	headers.writeUInt32LE(png.length, 14);
	headers.writeUInt32LE(headers.length, 18);
	return Buffer.concat([headers, png]);
}

const drawn = (size: number) =>
	sharp(Buffer.from(lightDrawing)).resize(size, size, { fit: 'contain', background: 'transparent' }).png().toBuffer();
