import type { Page } from 'playwright/test';
import { pathIn } from '../../src/facts/language.ts';
import { paths } from '../../src/facts/links.ts';
import { expectAccessible } from './accessible.ts';
import { deliveredText, expectKept, fillIn, submit, visitor } from './contact-page.ts';
import { expect, test } from './test.ts';
import { copyIn, languages, wordsIn } from './words.ts';

/** A language that is read from right to left. */
const language = 'ar';
const copy = copyIn(language);
const contact = pathIn(language, paths.contact);

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		// The page decides, whatever the browser prefers.
		test.use({ javaScriptEnabled, locale: 'pt', expectedMessages: [/Failed to load resource/] });

		test('a visitor mends mistakes and is thanked, and the sales team reads which language it is', async ({ page }) => {
			const values = visitor();
			const notice = page.getByRole('alert');
			await page.goto(contact);
			await fillIn(page, { ...values, name: ' ' }, { language });
			await submit(page);
			await expect(notice).toBeFocused();
			await expect(notice).toContainText(copy.notices.invalid.title);
			await expect(notice.getByRole('listitem')).toHaveText([copy.errors['name_required']!]);
			await expect(page.locator('html')).toHaveAttribute('lang', language);
			await expectKept(page, { ...values, name: ' ' });

			await page.locator('#message').fill('x'.repeat(70_000));
			await submit(page);
			await expect(notice).toContainText(copy.notices[javaScriptEnabled ? 'tooLong' : 'unread'].title);
			if (!javaScriptEnabled) await page.goBack();

			await page.locator('#message').fill(values['message']!);
			await page.locator('#name').fill(values['name']!);
			await submit(page);
			await expect(page).toHaveURL(pathIn(language, paths.thanks));
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(copy.thanks.title);
			const nameOf = new Intl.DisplayNames('en', { type: 'language' });
			expect(await deliveredText(values.clinic)).toContain(`${nameOf.of(language)} (${language})`);
		});
	});

test('in each language the form, its fields and its button have their exact names, and a message is sent', async ({ page }) => {
	for (const each of languages) {
		const { title, submit, thanks } = copyIn(each);
		await page.goto(pathIn(each, paths.contact));
		await fillIn(page, {}, { language: each });
		await page.getByRole('form', { name: title, exact: true }).getByRole('button', { name: submit, exact: true }).click();
		await expect(page.getByRole('heading', { name: thanks.title, exact: true })).toBeVisible();
	}
});

const [own, other] = [languages[0]!, languages.at(-1)!];

/** Returns how far things moved on a loaded page: the sum of its layout shifts (https://wicg.github.io/layout-instability). */
const shifted = (page: Page) =>
	page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				let sum = 0;
				const add = (list: PerformanceEntryList) =>
					void (sum += list.reduce((total, entry) => total + (entry as PerformanceEntry & { value: number }).value, 0));
				const observer = new PerformanceObserver((list) => add(list.getEntries()));
				observer.observe({ type: 'layout-shift', buffered: true });
				requestAnimationFrame(() => requestAnimationFrame(() => (add(observer.takeRecords()), resolve(sum))));
			}),
	);

test.describe('a reader who prefers another language', () => {
	test.skip(own === other, 'There is one language only.');
	test.use({ locale: other });

	test('is offered the page in that, and there nothing else, and nothing moves', async ({ page }) => {
		await page.goto(paths.contact);
		const offer = page.getByRole('banner').getByRole('link', { name: wordsIn(other).offer });
		await expect(offer).toBeVisible();
		await expect(page.locator('.offer a')).toHaveCount(1);
		expect(await shifted(page)).toBe(0);
		await expectAccessible(page);
		await offer.click();
		await expect(page).toHaveURL(pathIn(other, paths.contact));
		await page.reload();
		await expect(page.locator('.offer a')).toHaveCount(0);
	});
});
