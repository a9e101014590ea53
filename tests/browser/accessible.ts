import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect } from './test.ts';

/** Expects that axe finds nothing wrong with the page, in dark colours too, but for the rules in `except`, and that it fits the window. */
export async function expectAccessible(page: Page, except: string[] = []): Promise<void> {
	// Legacy mode works in the page itself, without a second one for each run. We have no frames.
	const axe = () => new AxeBuilder({ page }).setLegacyMode();
	const found = await axe()
		.disableRules(['color-contrast', ...except])
		.analyze();
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		found.violations.push(...(await axe().withRules('color-contrast').analyze()).violations);
	}
	await page.emulateMedia({ colorScheme: null });
	const seen = found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
	expect.soft(seen, page.url()).toEqual([]);
	expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), page.url()).toBeLessThanOrEqual(0);
}
