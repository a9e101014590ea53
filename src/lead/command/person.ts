import type { Confirmation } from '../delivery/confirmation.ts';
import type { Lead } from '../lead.ts';
import { faultsOf } from '../intake/quarantine.ts';
import type { StoredEntry } from '../store/store.ts';

/** Of a lead in quarantine any field may be missing. */
interface Person {
	name?: string | undefined;
	clinic?: string | undefined;
	email?: string | undefined;
	/** Of one in quarantine: what keeps it from being a lead, as error codes such as `email_invalid`. None: it can be released. */
	faults?: string[];
}

/** Who an entry is from or about, for programs. */
export function personData({ kind, state, payload }: StoredEntry): Person {
	// What was stored was ours, so it is not checked again.
	const { lead, address } = JSON.parse(payload) as { lead?: Partial<Lead> } & Partial<Confirmation>;
	if (kind !== 'lead' || lead === undefined) return { email: address };
	const { name, clinic, email } = lead;
	return { name, clinic, email, ...(state === 'quarantined' && { faults: faultsOf(lead) }) };
}

/** The same for people, on one line. */
export function personText(entry: StoredEntry): string {
	const { name, clinic, email, faults } = personData(entry);
	const verdict = faults && (faults.length === 0 ? 'could be released' : `no lead: ${faults.join(', ')}`);
	return [name, clinic, email, verdict].filter(Boolean).join(' · ');
}
