import { failed, type Report } from '../../command/command.ts';
import type { KeyContext } from './context.ts';
import { findKey } from './find-key.ts';
import { keyData, keyText } from './key-text.ts';

/** `show ID` */
export async function show({ leads, operand }: KeyContext): Promise<Report> {
	const key = await findKey(leads.keys, operand!);
	return typeof key === 'string' ? failed(key) : { done: true, data: keyData(key), text: keyText(key) };
}
