import { type AddressInfo, isIPv6 } from 'node:net';
import { makeMaildir } from '../lead/channels/mailbox.ts';
import { exampleLead } from '../lead/lead.ts';
import type { StoreSetting } from '../lead/store/index.ts';
import { paths } from '../facts/links.ts';
import { service, version } from '../facts/load.ts';
import type { Backend } from './backend.ts';

/** Says where the server is and where leads go: to a person who tries it out, or as a log line. */
export function announce(backend: Backend, listening: AddressInfo, { local }: { local: boolean }): void {
	const url = urlOf(backend.settings.host, listening);
	if (local) console.log(welcome(backend, url));
	else logReady(backend, url);
}

/** Returns a URL to open on this machine, with an IPv6 address in brackets (RFC 3986 section 3.2.2), never "all addresses". */
export function urlOf(host: string, { address, port }: AddressInfo): string {
	if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`;
	return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function logReady({ settings, channels, log }: Backend, url: string): void {
	const facts = {
		version,
		url,
		channels: channels.map(({ name }) => name),
		store: nameOf(settings.store),
		mailbox: settings.mailbox,
	};
	if (channels.length > 0) log.info(facts, 'Ready.');
	else log.warn(facts, 'Ready, but no delivery is configured: leads are answered 503.');
}

function welcome({ settings, channels }: Backend, url: string): string {
	const { store, mailbox } = settings;
	const lead = JSON.stringify(exampleLead(({ required }) => required));
	return `
${service.name} is at ${url}

Leads go to: ${channels.map(({ name }) => name).join(', ')}${mailbox ? `\nMessages are in ${makeMaildir(mailbox).fresh}` : ''}
${store.kind === 'none' ? 'They are delivered within the request: LEAD_STORE is none.' : `Until they have arrived they are kept in ${nameOf(store)}.`}

Send one from ${url}${paths.contact}, or with

  curl ${url}${paths.submitLead} -H 'content-type: application/json' \\
    -d '${lead}'

Stop with Ctrl+C.
`;
}

/** Names a file, but never a URL, which may hold a password. */
function nameOf(store: StoreSetting): string {
	if (store.kind === 'sqlite') return store.path;
	return store.kind === 'postgres' ? 'PostgreSQL' : 'none';
}
