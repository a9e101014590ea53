import { lead } from './post-lead.ts';
import { startStoring } from './storing-server.ts';

/** A lead that filled the honeypot. */
export const hit = { ...lead, website: 'https://clinicasol.example' };

/** Starts a server with its store in a folder, and ways to see what was put into quarantine. */
export async function startTrapping(settings: Record<string, string> = {}) {
	const storing = await startStoring(settings);
	return {
		...storing,
		quarantined: async () => {
			const { stdout } = await storing.leads('list', '--state', 'quarantined', '--limit', '9999', '--json');
			return (JSON.parse(stdout) as { entries: { id: string }[] }).entries.map(({ id }) => id);
		},
	};
}
