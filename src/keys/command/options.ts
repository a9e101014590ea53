import { commonOptions, type Options } from '../../command/options.ts';
import { service } from '../../service/load.ts';

/** All there are. */
export const scopes = Object.keys(service.scopes);

/** What is taken where an option is not given. */
export const defaults = { scopes: scopes.join(','), limit: '200/10m', expires: '1y', overlap: '7d' };

/** Every option of every command. */
export const options = {
	for: { type: 'string', usage: '--for LEAD', summary: 'The lead that asked for the key: its name and email are the owner’s.' },
	name: { type: 'string', usage: '--name NAME', summary: 'Who the owner is, where no lead asked; with --email.' },
	email: { type: 'string', usage: '--email EMAIL', summary: 'Where the owner is written to.' },
	scopes: {
		type: 'string',
		usage: '--scopes SCOPES',
		summary: `What it allows, with commas between; ${defaults.scopes} unless given.`,
	},
	limit: {
		type: 'string',
		usage: '--limit N/TIME',
		summary: `How many leads it may send in which time; ${defaults.limit} unless given.`,
	},
	expires: { type: 'string', usage: '--expires TIME', summary: `How long it works; ${defaults.expires} unless given.` },
	test: {
		type: 'boolean',
		usage: '--test',
		summary: 'A test key: what is sent with it is checked, and neither kept nor delivered.',
	},
	send: { type: 'boolean', usage: '--send', summary: 'Mail the reply to the owner as well, by SMTP_URL.' },
	overlap: {
		type: 'string',
		usage: '--overlap TIME',
		summary: `How long the old key works on, or 0; ${defaults.overlap} unless given.`,
	},
	...commonOptions,
} as const satisfies Options;
