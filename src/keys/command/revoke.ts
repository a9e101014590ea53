import { ArgumentError, failed, type Report } from '../../command/command.ts';
import { works } from '../../lead/store/key-store.ts';
import type { KeyContext } from './context.ts';
import { findKey } from './find-key.ts';
import { ownerText, stateText } from './key-text.ts';

/** `revoke ID` */
export async function revoke({ leads, operand, values, confirm, program }: KeyContext): Promise<Report> {
	const key = await findKey(leads.keys, operand!);
	if (typeof key === 'string') return failed(key);
	const { id, owner } = key;
	if (!values.yes && confirm === undefined)
		throw new ArgumentError(`There is nobody to ask whether that is meant. Run ${program} revoke ${id} --yes`);
	if (!works(key)) return failed(`Key ${id} of ${ownerText(owner)} ${stateText(key)}, so there is nothing to revoke.`);
	if (!values.yes && !(await confirm!(`End key ${id} of ${ownerText(owner)} for good?`))) return failed('No key was revoked.');
	await leads.keys.revoke(id, Date.now());
	return {
		done: true,
		data: { revoked: id },
		text: `Revoked key ${id} of ${ownerText(owner)}. Within a minute every instance refuses it.`,
	};
}
