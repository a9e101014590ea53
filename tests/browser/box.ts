import type { Locator } from 'playwright/test';

/** Returns the place of an element in its document, in CSS pixels, wherever the page is scrolled to. */
export const boxOf = (element: Locator) =>
	element.evaluate((node) => {
		const { x, y, width, height } = node.getBoundingClientRect();
		return { x: x + scrollX, y: y + scrollY, width, height };
	});
