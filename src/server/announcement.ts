import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { paths } from '../service/links.ts';
import { service } from '../service/load.ts';
import type { deploy } from './deployment.ts';

/** Says where the server is and where leads go: to a person who tries it out, or as a log line. */
export function announce(
	{ settings, channels, mailbox, log }: ReturnType<typeof deploy>,
	{ port }: AddressInfo,
	{ local }: { local: boolean },
): void {
	const url = `http://${settings.host}:${port}`;
	const names = channels.map(({ name }) => name);
	if (!local) {
		log.info(
			{ url, channels: names, mailbox },
			names.length > 0 ? 'Ready.' : 'Ready, but no delivery is configured: leads are answered 503.',
		);
		return;
	}
	const lead = JSON.stringify({ name: 'Ana Ruiz', clinic: 'Clínica Sol', email: 'ana@clinicasol.example', consent: 'on' });
	console.log(`
${service.name} is at ${url}

Leads go to: ${names.join(', ')}${mailbox ? `\nMessages lie in ${resolve(mailbox, 'new')}` : ''}

Send one from ${url}${paths.contact}, or with

  curl ${url}${paths.submitLead} -H 'content-type: application/json' \\
    -d '${lead}'

Stop with Ctrl+C.
`);
}
