import type { Locator } from 'playwright/test';

/** Returns the place of a visible element. */
export const boxOf = async (element: Locator) => (await element.boundingBox())!;
