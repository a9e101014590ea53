import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
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

/** The sales team gets one message that names the clinic. */
export async function expectDelivered(clinic: string): Promise<void> {
	await expect.poll(() => mailsAbout(clinic)).toHaveLength(1);
}

function mailsAbout(clinic: string): string[] {
	const folder = path.join(process.env['TEST_MAILBOX']!, 'new');
	if (!existsSync(folder)) return [];
	const token = clinic.split(' ').at(-1)!;
	return (
		readdirSync(folder)
			// Quoted-printable breaks long lines with `=` (RFC 2045 section 6.7).
			.map((file) => readFileSync(path.join(folder, file), 'utf8').replace(/=\r?\n/g, ''))
			.filter((mail) => mail.includes(token))
	);
}
