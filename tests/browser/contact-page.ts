import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import PostalMime from 'postal-mime';
import { expect } from './test.ts';

/** What a visitor enters; a clinic of its own for each test, to find the lead by. */
export const visitor = () => ({
	name: 'Ana Ruiz',
	clinic: `Clínica Sol ${crypto.randomUUID()}`,
	email: 'ana@clinicasol.example',
	phone: '+34 600 123 456',
	country: 'Spain',
	message: 'We miss about ten calls a day.\nCan you take them?',
});

/** Fills in the form as a visitor does, and agrees. */
export async function fillIn(page: Page, values: Partial<ReturnType<typeof visitor>> = visitor()): Promise<void> {
	for (const [field, value] of Object.entries(values)) await page.locator(`#${field}`).fill(value);
	await page.getByRole('checkbox').check();
}

export const send = (page: Page) => page.getByRole('button', { name: 'Send message' }).click();

/** Everything typed is still there. */
export async function expectKept(page: Page, values: Partial<ReturnType<typeof visitor>>): Promise<void> {
	for (const [field, value] of Object.entries(values)) await expect(page.locator(`#${field}`)).toHaveValue(value);
}

/** The sales team gets one message that names the clinic, with these words in its subject. */
export async function expectDelivered(clinic: string, subject = ''): Promise<void> {
	await expect.poll(() => subjectsAbout(clinic)).toEqual([expect.stringContaining(subject)]);
}

async function subjectsAbout(clinic: string): Promise<(string | undefined)[]> {
	const folder = path.join(process.env['TEST_MAILBOX']!, 'new');
	if (!existsSync(folder)) return [];
	const files = readdirSync(folder).map((file) => readFileSync(path.join(folder, file)));
	const mails = await Promise.all(files.map((file) => PostalMime.parse(file)));
	return mails.filter(({ text }) => text?.includes(clinic)).map(({ subject }) => subject);
}

/** An address that the browser lets through and the server does not: no pattern of a form says how long both parts may be together. */
export const longAddress = `${'a'.repeat(40)}.${'b'.repeat(40)}@clinic.example`;
