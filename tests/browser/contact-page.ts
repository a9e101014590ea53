import type { Page } from 'playwright/test';
import type { Email } from 'postal-mime';
import { defaultLanguage } from '../../src/facts/language.ts';
import { enteredFields } from '../../src/lead/lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { expect } from './test.ts';
import { copyIn } from './words.ts';

type Values = Record<string, string>;

/** Returns a visitor's entries, with a clinic of its own for each test, to find the lead by. */
export const visitor = (): Values & Record<'name' | 'clinic' | 'email', string> => ({
	...(Object.fromEntries(enteredFields.map(({ name, example }) => [name, example])) as Record<'name' | 'email', string>),
	clinic: `Clínica Sol ${crypto.randomUUID()}`,
	message: 'We miss about ten calls a day.\nCan you take them?',
});

/** Fills in a form by the exact names of its fields, as an agent does, with `values` in place of the visitor's, and agrees. */
export async function fillIn(page: Page, values: Values = {}, { language = defaultLanguage, accessRequest = false } = {}) {
	const { fields, optional, ...copy } = copyIn(language);
	const all = { ...visitor(), ...values };
	const named = (name: string) => page.getByLabel(name, { exact: true });
	for (const { name, label, required, kind } of enteredFields) {
		const own = accessRequest ? copy.accessRequest.fields[name]?.label : undefined;
		const words = own ?? fields[name]?.label ?? label;
		const isRequired = required || (accessRequest && name === 'message');
		const field = named(isRequired ? words : `${words} (${optional})`);
		await (kind === 'select' ? field.selectOption(all[name]!) : field.fill(all[name]!));
	}
	await named(fields['consent']!.label!).check();
}

export const send = (page: Page) => page.getByRole('button', { name: 'Send message' }).click();

export async function expectKept(page: Page, values: Values): Promise<void> {
	for (const [name, value] of Object.entries(values)) await expect(page.locator(`#${name}`)).toHaveValue(value);
}

/** Waits for the sales team's message that names the clinic, by default the only one. */
export async function deliveredAbout(clinic: string, count = 1): Promise<Email> {
	const mails = async () => {
		const all = await readMaildir(process.env['TEST_MAILBOX']!);
		return all.map(({ parsed }) => parsed).filter(({ text }) => text?.includes(clinic));
	};
	await expect.poll(mails).toHaveLength(count);
	return (await mails())[0]!;
}

/** An address that the browser accepts and the server refuses: a form limits no length. */
export const longAddress = `${'a'.repeat(250)}@clinic.example`;
