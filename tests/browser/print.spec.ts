import { globSync } from 'node:fs';
import { expect, test } from './test.ts';
import { long, ofLanguage } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource.*404/] });

const pages = globSync('**/*.html', { cwd: 'var/test/dist/client' })
	.map((file) => `/${file}`.replace(/(index)?\.html$/, ''))
	.filter((path) => path !== '/docs/api/explorer')
	.toSorted();

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', javaScriptEnabled ? long : {}, () => {
		test.use({ javaScriptEnabled });

		for (const path of pages)
			test(
				`${path} is whole on paper, without what only leads elsewhere`,
				javaScriptEnabled ? ofLanguage(path) : long,
				async ({ page }) => {
					await page.goto(path);
					await page.emulateMedia({ media: 'print' });
					const folded = page.locator('main details:not(nav *) > :not(summary)');
					for (const answer of await folded.all()) await expect(answer).toBeVisible();
					for (const link of await page.locator('nav, .action, .offer').all()) await expect(link).toBeHidden();
				},
			);
	});
