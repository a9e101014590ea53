import { failed, type Report } from '../../command/command.ts';
import { works } from '../../lead/store/key-store.ts';
import type { KeyContext } from './context.ts';
import { findKey } from './find-key.ts';
import { given } from './given.ts';
import { handOver, mailMissing, make } from './hand-over.ts';
import { stateText } from './key-text.ts';
import { defaults } from './options.ts';

/** `rotate ID`: the new key is what the old one was, for as long as that was made for. */
export async function rotate(context: KeyContext): Promise<Report> {
	const { leads, operand, values, program } = context;
	const overlap = given('overlap', values.overlap ?? defaults.overlap) * 1000;
	const old = await findKey(leads.keys, operand!);
	if (typeof old === 'string') return failed(old);
	if (!works(old))
		return failed(
			`Key ${old.id} ${stateText(old)}, so there is nothing to rotate. Issue another: ${program} issue --name NAME --email EMAIL`,
		);
	const missing = mailMissing(context);
	if (missing !== undefined) return failed(missing);

	const { owner, sender, scopes, limit, test, life, endsAt } = old;
	const made = make({ owner, sender, scopes, limit, test, life }, leads);
	const oldEndsAt = Math.min(endsAt, Date.now() + overlap);
	if (!(await leads.keys.replace(old, { key: made.kept, endsAt: oldEndsAt, revoked: overlap === 0 })))
		return failed(`Somebody else has just revoked or rotated key ${old.id}. No key was made: see list.`);
	return handOver(made, context, { id: old.id, endsAt: oldEndsAt });
}
