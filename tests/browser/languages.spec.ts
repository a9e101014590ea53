import { isRightToLeft, pathIn } from '../../src/facts/language.ts';
import { paths } from '../../src/facts/links.ts';
import { deliveredAbout, fillIn, visitor } from './contact-page.ts';
import { expect, expectAccessible, phone, test, testWithoutScripts } from './test.ts';
import { copyIn, languages, withLanguages, wordsIn } from './words.ts';

const other = languages.at(-1)!;

test.use({ locale: other, expectedMessages: [/Failed to load resource.*422/] });

for (const language of languages)
	test(`in ${language} a form is found by its exact names, mended, thanked for, and told of by language`, async ({ page }) => {
		const { title, submit, notices, errors, thanks } = copyIn(language);
		const values = visitor();
		const notice = page.getByRole('alert');
		const button = page.getByRole('form', { name: title, exact: true }).getByRole('button', { name: submit, exact: true });
		await page.goto(pathIn(language, paths.contact));
		const parts = page.locator('.field > *');
		const styles = await parts.evaluateAll((all) =>
			all.map((one) => [getComputedStyle(one).direction, getComputedStyle(one).textAlign]),
		);
		const atRight = styles.map(([direction, textAlign]) => (direction === 'rtl') !== (textAlign === 'end'));
		expect(new Set(atRight), 'empty fields begin where their labels do').toEqual(new Set([isRightToLeft(language)]));
		await fillIn(page, { ...values, name: ' ' }, { language });
		await button.click();
		await expect(notice).toContainText(notices.invalid.title);
		await expect(notice.getByRole('listitem')).toHaveText([errors['name_required']!]);
		await page.locator('#name').fill(values.name);
		await button.click();
		await expect(page.getByRole('heading', { name: thanks.sent.title, exact: true })).toBeVisible();
		const languageNames = new Intl.DisplayNames('en', { type: 'language' });
		expect((await deliveredAbout(values.clinic)).text).toContain(`${languageNames.of(language)} (${language})`);
	});

test('a reader who prefers another language is offered the page in that, and nothing moves', withLanguages, async ({ page }) => {
	const target = pathIn(other, paths.contact);
	await page.goto(paths.contact);
	const offer = page.getByRole('banner').getByRole('link', { name: wordsIn(other).offer });
	await expect(offer).toHaveJSProperty('pathname', target);
	await expectAccessible(page);
	const main = page.getByRole('main');
	const place = await main.boundingBox();
	await offer.evaluate((link) => link.remove());
	expect(await main.boundingBox()).toEqual(place);
	await page.goto(target);
	await expect(main).toBeVisible();
	await expect(page.locator('.offer a')).toHaveCount(0);
});

testWithoutScripts('a menu leads to the same page, or to the start page', withLanguages, async ({ page }) => {
	await page.goto(paths.contact);
	const menu = page.getByRole('navigation', { name: 'Languages' });
	await expect(menu).toBeHidden();
	await page.getByRole('button', { name: 'Languages' }).click();
	await expect(menu).toBeInViewport();
	await menu.locator(`[hreflang=${other}]`).click();
	await expect(page).toHaveURL(pathIn(other, paths.contact));
	await expect(page.locator('.languages [aria-current]')).toHaveAttribute('href', pathIn(other, paths.contact));
	await page.setViewportSize(phone);
	await page.goto(paths.docs);
	await page.getByRole('button', { name: 'Main menu' }).click();
	await page.getByRole('navigation', { name: 'Main menu' }).locator(`[hreflang=${other}]`).click();
	await expect(page).toHaveURL(pathIn(other, paths.home));
});
