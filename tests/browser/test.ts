import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page, type Route } from 'playwright/test';

interface Watched {
	/** Console messages that this test expects, such as a failed request. */
	expectedMessages: RegExp[];
	watch: void;
}

/** A test that fails on any console message, script error, policy violation or request for another host. */
export const test = base.extend<Watched>({
	expectedMessages: [[], { option: true }],
	watch: [
		async ({ context, expectedMessages }, use) => {
			const surprises: string[] = [];
			const note = (message: string) => {
				if (!expectedMessages.some((expected) => expected.test(message))) surprises.push(message);
			};
			context.on('console', (message) => note(message.text()));
			context.on('weberror', (error) => note(String(error.error())));
			context.on('request', (request) => {
				const { hostname, protocol } = new URL(request.url());
				if (hostname !== 'localhost' && protocol.startsWith('http')) note(`Request for ${request.url()}`);
			});
			await use();
			expect(surprises).toEqual([]);
		},
		{ auto: true },
	],
});

export const testWithoutScripts = test.extend({ javaScriptEnabled: false });

/** Answers the first request for a URL. Playwright's `times` would end the interception, and a navigation that begins then may hang. */
export async function answerFirst(page: Page, url: string, answer: (route: Route) => Promise<void>): Promise<void> {
	let asked = 0;
	await page.route(url, (route) => ((asked += 1) === 1 ? answer(route) : route.continue()));
}

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

/** The window of a phone, for tests of what its width decides. */
export const phone = { width: 360, height: 740 };

export { expect };
