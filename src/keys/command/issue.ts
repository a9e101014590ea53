import { failed, type Report } from '../../command/command.ts';
import type { KeyContext } from './context.ts';
import { given } from './given.ts';
import { handOver, mailMissing, make } from './hand-over.ts';
import { defaults } from './options.ts';
import { ownerOf } from './owner.ts';

/** `issue` */
export async function issue(context: KeyContext): Promise<Report> {
	const { values, leads } = context;
	const terms = {
		scopes: [...new Set(given('scopes', values.scopes ?? defaults.scopes))],
		limit: given('limit', values.limit ?? defaults.limit),
		life: given('expires', values.expires ?? defaults.expires) * 1000,
		test: values.test === true,
	};
	const owner = await ownerOf(context);
	if (typeof owner === 'string') return failed(owner);
	const missing = mailMissing(context);
	if (missing !== undefined) return failed(missing);
	const made = make({ ...terms, owner }, leads);
	await leads.keys.insert(made.kept);
	return handOver(made, context);
}
