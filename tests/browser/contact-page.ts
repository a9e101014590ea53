import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import { leadFields } from '../../src/lead/lead.ts';
import { expect } from './test.ts';

/** The fields that a visitor fills in, in order. */
export const entered = leadFields.filter(({ kind }) => !['consent', 'hidden', 'honeypot'].includes(kind));

/** Values by field. */
type Values = Record<string, string>;

/** Returns a visitor's entries, with a clinic of its own for each test, to find the lead by. */
export const visitor = (): Values & Record<'name' | 'clinic' | 'email', string> => ({
	...(Object.fromEntries(entered.map(({ name, example }) => [name, example])) as Record<'name' | 'email', string>),
	clinic: `Clínica Sol ${crypto.randomUUID()}`,
	message: 'We miss about ten calls a day.\nCan you take them?',
});

/** Fills in the form as a visitor does, with `values` in place of the visitor's, and agrees. */
export async function fillIn(page: Page, values: Values = {}): Promise<void> {
	for (const [name, value] of Object.entries<string>({ ...visitor(), ...values })) {
		const field = page.locator(`#${name}`);
		if (entered.find((one) => one.name === name)!.kind === 'select') await field.selectOption(value);
		else await field.fill(value);
	}
	await page.locator('#consent').check();
}

/** Presses the button that sends the form, whatever the language calls it. */
export const submit = (page: Page) => page.locator('#contact-form > button[type=submit]').last().click();

export const send = (page: Page) => page.getByRole('button', { name: 'Send message' }).click();

/** Expects that the form still has every value. */
export async function expectKept(page: Page, values: Values): Promise<void> {
	for (const [name, value] of Object.entries(values)) await expect(page.locator(`#${name}`)).toHaveValue(value);
}

/** Expects that the sales team gets one message that names the clinic, with `subject` in its subject. */
export async function expectDelivered(clinic: string, subject = ''): Promise<void> {
	await expect.poll(() => mailsAbout(clinic)).toEqual([expect.objectContaining({ subject: expect.stringContaining(subject) })]);
}

/** Waits for the sales team's message that names the clinic, and returns its text. */
export async function deliveredText(clinic: string): Promise<string> {
	await expectDelivered(clinic);
	return (await mailsAbout(clinic))[0]!.text!;
}

async function mailsAbout(clinic: string): Promise<Email[]> {
	const folder = path.join(process.env['TEST_MAILBOX']!, 'new');
	if (!existsSync(folder)) return [];
	const files = readdirSync(folder).map((file) => readFileSync(path.join(folder, file)));
	const mails = await Promise.all(files.map((file) => PostalMime.parse(file)));
	return mails.filter(({ text }) => text?.includes(clinic));
}

/** An address that the browser accepts and the server refuses: a form limits no length. */
export const longAddress = `${'a'.repeat(250)}@clinic.example`;
