import { type Node, Renderer, type RenderOptions } from '@takumi-rs/core';
import { lightDrawing } from '../brand.ts';
import { readFonts } from './fonts.ts';

let ready: Promise<Renderer> | undefined;

/** Draws elements styled with CSS, as PNG by default. The image source `logo` is our drawing. */
export async function draw(node: Node, options: RenderOptions): Promise<Buffer<ArrayBuffer>> {
	ready ??= renderer();
	return (await ready).render(node, { images: [{ src: 'logo', data: Buffer.from(lightDrawing) }], ...options });
}

async function renderer(): Promise<Renderer> {
	const own = new Renderer();
	for (const font of readFonts()) await own.registerFont(font);
	return own;
}
