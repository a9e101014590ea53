import type { Report } from '../../command/command.ts';
import { service } from '../../service/load.ts';
import type { KeyContext } from './context.ts';
import { keyData, keysTable } from './key-text.ts';

/** `list` */
export async function list({ leads, program }: KeyContext): Promise<Report> {
	const keys = await leads.keys.list();
	const text = keys.length > 0 ? keysTable(keys) : `There are no API keys yet.${howToIssue(program)}`;
	return { done: true, data: { keys: keys.map(keyData) }, text };
}

const howToIssue = (program: string) => (service.keys === 'issued' ? ` To issue one: ${program} issue --for LEAD` : '');
