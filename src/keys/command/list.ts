import type { Report } from '../../command/command.ts';
import type { KeyContext } from './context.ts';
import { keyData, keysTable } from './key-text.ts';

/** `list` */
export async function list({ leads, program }: KeyContext): Promise<Report> {
	const keys = await leads.keys.list();
	const text = keys.length > 0 ? keysTable(keys) : `There are no API keys yet. To issue one: ${program} issue --for LEAD`;
	return { done: true, data: { keys: keys.map(keyData) }, text };
}
