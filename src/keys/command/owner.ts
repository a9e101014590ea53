import { ArgumentError } from '../../command/command.ts';
import { findEntry } from '../../lead/command/find-entry.ts';
import type { ReceivedLead } from '../../lead/delivery/message.ts';
import { leadSchema } from '../../lead/lead.ts';
import type { ApiKey } from '../../lead/store/key-store.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import type { KeyContext } from './context.ts';
import { given } from './given.ts';

type Owner = ApiKey['owner'];

/**
 * Whose key it is to be; or why that cannot be said.
 *
 * @throws {ArgumentError} neither a lead is named nor a person, or both are
 */
export async function ownerOf({ values, leads, program }: KeyContext): Promise<Owner | string> {
	const { for: lead, name, email } = values;
	if (lead !== undefined && name === undefined && email === undefined) return ownerIn(leads, lead);
	if (lead === undefined && name !== undefined && email !== undefined)
		return { name: given('name', name), email: given('email', email) };
	throw new ArgumentError(
		`Say whose key it is, by a lead or by name and address:\n${program} issue --for LEAD\n${program} issue --name NAME --email EMAIL`,
	);
}

const person = leadSchema.pick({ name: true, email: true });

async function ownerIn(leads: LeadStore, part: string): Promise<Owner | string> {
	const entry = await findEntry(leads, part);
	if (typeof entry === 'string') return entry;
	const instead = 'Name the owner with --name and --email.';
	if (entry.kind !== 'lead')
		return `Entry ${entry.id} is no lead but a ${entry.kind} of ours: nobody asks for a key in it. ${instead}`;
	const owner = person.safeParse((JSON.parse(entry.payload) as ReceivedLead).lead);
	return owner.success ? owner.data : `Lead ${entry.id} has no name, or no address to write to. ${instead}`;
}
