/** Returns width and height of a PNG image (W3C PNG, section 11.2.1). */
export function pngSize(bytes: Uint8Array<ArrayBuffer>): [width: number, height: number] {
	const view = new DataView(bytes.buffer);
	if (view.getUint32(0) !== 0x89_50_4e_47) throw new Error('This is no PNG.');
	return [view.getUint32(16), view.getUint32(20)];
}
