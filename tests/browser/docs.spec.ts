import type { Page } from 'playwright/test';
import { deliveredAbout, fillIn, send, visitor } from './contact-page.ts';
import { answerFirst, expect, expectAccessible, phone, test, testWithoutScripts } from './test.ts';

test.use({ expectedMessages: [/Failed to load resource: (net::ERR_FAILED|.*503)/] });

const PAGE = '/docs/send-a-lead';
const outlineOf = (page: Page) => page.locator('.outline');
const searchOf = (page: Page) => page.getByRole('search');
const fieldOf = (page: Page) => page.getByRole('searchbox', { name: 'Search the documentation' });
const found = (page: Page) => searchOf(page).getByRole('link');

test('the outline marks the heading that is being read, and each heading is the link to its place', async ({ page }) => {
	await page.goto(PAGE);
	const marked = outlineOf(page).locator('[aria-current=location]');
	await expect(marked).toHaveCount(0);
	for (const name of ['What to send', 'When something is wrong', 'What to send']) {
		await page.locator('h2', { hasText: name }).evaluate((heading) => heading.scrollIntoView());
		await expect(marked).toHaveText(name);
	}
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	await expect(marked).toHaveText('From a browser');
	// Two headings at the end of a page cannot both be at its top: the one that was asked for counts.
	const heading = page.getByRole('heading', { name: 'Sending again', exact: true });
	await heading.getByRole('link', { name: 'Sending again', exact: true }).click();
	await expect(page).toHaveURL(`${PAGE}#sending-again`);
	await expect(heading).toBeInViewport();
	await expect(marked).toHaveText('Sending again');
});

test('in a narrow window search and outline stay in reach, and cover no heading that they lead to', async ({ page }) => {
	await page.setViewportSize(phone);
	await page.goto('/docs/api#submitLead-email');
	await expect(fieldOf(page)).toBeInViewport({ ratio: 1 });
	const fold = outlineOf(page).locator('summary');
	await fold.click();
	// An arrow alone says that it is open, without the sign of other folds.
	expect(await fold.evaluate((summary) => getComputedStyle(summary, '::after').content)).toBe('""');
	await outlineOf(page).getByRole('link', { name: 'Errors and retries' }).click();
	await expect(outlineOf(page).getByRole('list')).toBeHidden();
	const heading = page.getByRole('heading', { name: 'Errors and retries', exact: true });
	await expect(heading).toBeInViewport();
	const [bar, text] = await Promise.all([fieldOf(page).boundingBox(), heading.boundingBox()]);
	expect(text!.y).toBeGreaterThan(bar!.y + bar!.height);
	await page.keyboard.press('Control+k');
	await page.keyboard.type('limits');
	await expect(found(page).first()).toBeInViewport();
	expect(await heading.boundingBox()).toEqual(text);
	await expectAccessible(page);
});

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('an example is copied as it is, and a page as the Markdown that its link shows, and the page says so', async ({ page }) => {
	await page.goto(PAGE);
	// A busy machine could see the word too late otherwise.
	await page.clock.install();
	const said = page.getByRole('status').filter({ hasText: 'Copied' });
	await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
	await expect(said).toBeVisible();
	expect(await copied(page)).toBe((await page.locator('pre').first().textContent())!.trimEnd());
	await page.clock.fastForward(2000);
	await expect(said).toHaveCount(0);

	await page.getByRole('button', { name: 'Copy page' }).click();
	await expect(said).toBeVisible();
	await expect(page.getByRole('link', { name: 'Markdown', exact: true })).toHaveAttribute('href', `${PAGE}.md`);
	expect(await copied(page)).toBe(await (await page.request.get(`${PAGE}.md`)).text());
});

test('where nothing can be copied, an example is selected, and a page opens as Markdown', async ({ page }) => {
	await page.addInitScript(() => {
		navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
		// Chromium itself may wait for ever for a clipboard that it lacks.
		navigator.clipboard.write = async ([item]) => void (await item!.getType('text/plain'));
	});
	await page.goto(PAGE);
	await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
	const selected = () => page.evaluate(() => String(getSelection()).trim());
	await expect.poll(selected).toBe((await page.locator('pre').first().textContent())!.trim());
	await answerFirst(page, `**${PAGE}.md`, (route) => route.fulfill({ status: 503, body: 'Sorry' }));
	await page.getByRole('button', { name: 'Copy page' }).click();
	await expect(page).toHaveURL(`${PAGE}.md`);
});

for (const storage of ['kept', 'forbidden'])
	test(`a language is chosen for every sample of a page, and where storage is ${storage}, for others`, async ({ page }) => {
		const denied = `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })`;
		if (storage === 'forbidden') await page.addInitScript(denied);
		const open = page.locator('.tab[open] > summary');
		await page.goto(PAGE);
		await expect(open).toHaveText(['curl', 'curl']);
		// Each language of the first samples is one of the others too.
		for (const title of await page.locator('.tabs').first().locator('summary').allTextContents()) {
			const tabs = page.locator('.tab > summary', { hasText: new RegExp(`^${title}$`) });
			await tabs.first().press('Enter');
			await expect(open).toHaveText([title, title]);
		}
		const first = storage === 'kept' ? 'TypeScript' : 'curl';
		await page.goto('/docs/api');
		await expect(open).toHaveText([first, '200', first, '200']);
	});

testWithoutScripts('a page has samples one by one, no button, and a form that names it to the team', async ({ page }) => {
	await page.goto(PAGE);
	await expect(page.locator('main :is(button, input)')).toHaveCount(0);
	await expect(page.locator('.search')).toBeHidden();
	const values = visitor();
	await page.goto('/docs/authentication');
	const python = page.getByRole('group', { name: 'Send a key of your own' }).locator('.tab', { hasText: /^Python/ });
	await python.locator('summary').click();
	await expect(python.locator('pre')).toBeVisible();
	await page.goto('/docs/errors/rate-limited');
	await page.getByRole('link', { name: 'Was something unclear? Tell us' }).click();
	await expect(page).toHaveURL('/contact?topic=/docs/errors/rate-limited');
	await fillIn(page, values);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
	expect((await deliveredAbout(values.clinic)).text).toContain('/contact?topic=/docs/errors/rate-limited');
});

testWithoutScripts('on a phone the navigation opens on demand', async ({ page }) => {
	await page.setViewportSize(phone);
	await page.goto('/docs/agents');
	const navigation = page.getByRole('navigation', { name: 'Documentation' });
	const other = navigation.getByRole('link', { name: 'Send a lead' });
	await expect(other).toBeHidden();
	await navigation.locator('summary').click();
	await other.click();
	await expect(page).toHaveURL('/docs/send-a-lead');
});

test('the search is a key away, leads to the heading that speaks of it, and closes then, and by Escape', async ({ page }) => {
	const said = searchOf(page).getByRole('status');
	await page.goto('/docs');
	await page.keyboard.press('Control+k');
	await expect(fieldOf(page)).toBeFocused();
	await page.keyboard.type('idempot');
	await expect(said).toHaveText(/^Results: [1-9]$/);
	const match = found(page).filter({ hasText: 'Sending again' }).locator('b').first();
	await expect(match).toHaveText(/^Idempotency$/i);
	await expectAccessible(page);
	// There, a browser gives some elements the colour of the ground, which axe does not see.
	await page.emulateMedia({ forcedColors: 'active' });
	const colors = await match.evaluate((word) => [word, word.parentElement!].map((part) => getComputedStyle(part).color));
	expect(colors[0]).toBe(colors[1]);
	await page.emulateMedia({ forcedColors: null });

	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await expect(found(page).nth(1)).toBeFocused();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await expect(fieldOf(page)).toBeFocused();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Escape');
	await expect(fieldOf(page)).toBeFocused();
	await expect(found(page)).toHaveCount(0);

	// A word that no page has is not found, and marks are words and not code.
	await fieldOf(page).fill('<b>zzyzx');
	await expect(said).toHaveText('Nothing found for “<b>zzyzx”.');
	await expect(found(page)).toHaveAttribute('href', '/contact');
	// Before the reader has typed anything, it leads to what others read.
	await fieldOf(page).fill('');
	await expect(found(page)).toHaveCount(5);
	const [, second] = await page.locator('.docs-nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
	await expect(found(page).first()).toHaveAttribute('href', new RegExp(`${second}$`));

	await fieldOf(page).fill('sending again');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(`${PAGE}#sending-again`);
	await fieldOf(page).fill('limit');
	await found(page)
		.filter({ hasText: /^Limits Send a lead/ })
		.click();
	await expect(page).toHaveURL(`${PAGE}#limits`);
	await expect(found(page)).toHaveCount(0);
});

test('while its index is not to be had, the search says so, and tries again', async ({ page }) => {
	await page.route('**/search.json', (route) => route.abort());
	await page.goto(PAGE);
	await fieldOf(page).fill('limits');
	const failure = searchOf(page).getByRole('alert');
	// Firefox never loads a script again that it could not load.
	await expect(failure).toContainText('could not be loaded. Reload this page');
	await failure.getByRole('link').click();
	await expect(page).toHaveURL('/docs');
	await page.goBack();
	await fieldOf(page).fill('limits');
	await expect(failure).toBeVisible();
	await page.unroute('**/search.json');
	await page.getByRole('heading', { level: 1 }).click();
	await fieldOf(page).focus();
	await expect(found(page).first()).toBeVisible();
});
