import { commonOptions, type Options } from '../../command/options.ts';

export const options = {
	lead: { type: 'boolean', usage: '--lead', summary: 'Send one lead that is marked as a test, and say what became of it.' },
	at: {
		type: 'string',
		usage: '--at ADDRESS',
		summary: 'Connect to this host, with :PORT where it is another, and not to where the DNS leads: before it leads there.',
	},
	dns: {
		type: 'string',
		usage: '--dns ADDRESS',
		summary: 'Ask this DNS server about mail, for example the domain’s own, which caches nothing.',
	},
	json: commonOptions.json,
} as const satisfies Options;
