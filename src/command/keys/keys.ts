import { Option } from '@commander-js/extra-typings';
import { failure, type Program, type Report, yesOption } from '../command.ts';
import { TIME_UNITS } from '../../values/time.ts';
import { keyMailOf } from './reply.ts';
import { check, list, revoke, show } from './issued-keys.ts';
import { type KeySettings, onKeys } from './context.ts';
import { defaults } from './given.ts';
import { issue, rotate } from './new-key.ts';
import { service } from '../../facts/load.ts';

export const keys: Program<KeySettings> = {
	script: 'keys',
	purpose: 'Issues and looks after API keys',
	local: 'As in leads; keys are the same with it.',
	operands:
		'ID is the beginning of a key’s id, LEAD the beginning or the end of a lead’s, as long as only one has it.\n' +
		`TIME is a number of ${TIME_UNITS}.`,
	needs: (settings) => ({ store: settings.store, mail: keyMailOf(settings) }),
	describe(program, run) {
		const send = new Option('--send', 'Mail the reply to the owner as well, by SMTP_URL.');
		program
			.command('issue')
			.usage('--for LEAD|--name NAME --email EMAIL [options]')
			.description('Make a key, and print it, this once, with the reply to its owner.')
			.option('--for <LEAD>', 'The lead that asked for the key: its name and email are the owner’s.')
			.option('--name <NAME>', 'Who the owner is, where no lead asked; with --email.')
			.option('--email <EMAIL>', 'Where the owner is written to.')
			.option(
				'--scopes <SCOPES>',
				`What it allows, with commas between. Unless given, what the lead names, or else ${defaults.scopes}.`,
			)
			.option('--limit <N/TIME>', `How many leads it may send in which time; ${defaults.limit} unless given.`)
			.option('--expires <TIME>', `How long it works; ${defaults.expires} unless given.`)
			.option('--test', 'A test key: what is sent with it is checked, and neither kept nor delivered.')
			.addOption(send)
			.action((values) => run(whereIssued(onKeys(issue)), { values }));
		program
			.command('list')
			.description('All keys, newest first, with owner, limit and use. Never a key itself.')
			.action((values) => run(onKeys(list), { values }));
		program
			.command('show <ID>')
			.description('One key with all that is kept of it.')
			.action((operand, values) => run(onKeys(show), { operand, values }));
		program
			.command('rotate <ID>')
			.description('Make another key for the same owner, and let the old one end.')
			.option('--overlap <TIME>', `How long the old key works on, or 0; ${defaults.overlap} unless given.`)
			.addOption(send)
			.action((operand, values) => run(whereIssued(onKeys(rotate)), { operand, values }));
		program
			.command('revoke <ID>')
			.description('End a key at once.')
			.addOption(yesOption)
			.action((operand, values) => run(onKeys(revoke), { operand, values }));
		program
			.command('check')
			.description('Read a key from standard input: whose it is, and whether it works.')
			.action((values) => run(check, { values }));
	},
};

/** Refuses a command that makes a key if no keys are issued, before it reads anything else. */
const whereIssued =
	<Context>(work: (context: Context) => Promise<Report>) =>
	(context: Context): Promise<Report> =>
		service.keys === 'issued' ? work(context) : Promise.resolve(failure(NOT_ISSUED));

const NOT_ISSUED =
	'No API keys are issued, so none was made: to issue some, write `keys: issued` in content/service.yaml, build, and start what was built.';
