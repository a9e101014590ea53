import { onStore } from '../../command/on-store.ts';

/** A command that works on the keys of the store. */
export const onKeys = onStore(
	() =>
		'LEAD_STORE is none, so there are no API keys, which are kept in the lead store: to issue some, set it, for example LEAD_STORE=sqlite:var/leads.db.',
);
