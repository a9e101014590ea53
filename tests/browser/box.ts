import type { Locator } from 'playwright/test';

/** Where an element is, which must be shown. */
export const boxOf = async (element: Locator) => (await element.boundingBox())!;
