import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { failure, type Program, type Report, yesOption } from '../command.ts';
import { noStoreAt, onStore } from '../on-store.ts';
import { channelsOf } from '../../lead/channels/index.ts';
import { table } from '../printing.ts';
import { type Channel, sendWithin, TRY_TIMEOUT } from '../../lead/channels/channel.ts';
import { testLead } from '../../lead/test-lead.ts';
import { type Message, messageOf, receivedNow } from '../../lead/message/message.ts';
import type { CommandContext, LeadSettings } from './context.ts';
import { erase } from './erase.ts';
import { exportLeads } from './export.ts';
import { list, states } from './list.ts';
import { retry } from './retry.ts';
import { show } from './show.ts';
import { release, spam } from './spam.ts';
import { dimensions, stats } from './stats.ts';

const onLeads = onStore(
	(program) =>
		'LEAD_STORE is none: each lead is delivered within its request, and nothing is kept that could be listed, retried or erased.\n' +
		`What works is ${program} test. To keep leads until they are delivered, set LEAD_STORE and start the server again.`,
);

export const leads: Program<LeadSettings> = {
	script: 'leads',
	purpose: 'Looks after leads',
	local: 'As npm start: without a channel, leads go to the embedded mailbox.',
	operands: 'ID is the beginning or the end of an id, as long as only one has it.',
	needs: (settings) => {
		const { store, language, timeZone } = settings;
		return { store, language, timeZone, channels: channelsOf(settings) };
	},
	describe(program, run) {
		program
			.command('list')
			.description('The leads that are kept, newest first, and how they stand.')
			.addOption(new Option('--state <STATE>', 'Only these.').choices(states))
			.option('--source <SOURCE>', 'Only leads from there, for example api-access.')
			.option('--long', 'With name, clinic and email.')
			.option('--limit <N>', 'So many at the most; 50 unless given.')
			.option('--before <ID>', 'Only what is older than this one.')
			.action((values) => run(onLeads(list), { values }));
		program
			.command('show <ID>')
			.description('One lead with all that is kept of it.')
			.action((operand, values) => run(onLeads(show), { operand, values }));
		program
			.command('retry [ID]')
			.description('Try now to deliver one lead, or all that are parked, over the channels of these settings.')
			.option('--parked', 'All that are not tried again by themselves: parked, or waiting for a channel that is gone.')
			.action((operand, values) => run(onLeads(retry), { operand, values }));
		program
			.command('release <ID...>')
			.description('Deliver leads that lie in quarantine, and remember that leads like them are no spam.')
			.action((operands, values) => run(onLeads(release), { operands, values }));
		program
			.command('spam [ID...]')
			.description('Mark leads as spam, so that leads like them are held. Or list what is remembered.')
			.option('--list', 'What is remembered of leads that were marked or released.')
			.action((operands, values) => run(onLeads(spam), { operands, values }));
		program
			.command('export')
			.description('All leads as JSON Lines, or with --csv for a spreadsheet.')
			.option('--csv', 'Comma-separated values that no spreadsheet takes for formulas.')
			.action((values) => run(onLeads(exportLeads), { values }));
		program
			.command('stats')
			.description('How many leads came, of those that are kept.')
			.option('--since <TIME>', 'So long ago until now; 30d unless given.')
			.addOption(new Option('--by <WHAT>', 'By what they are counted; day unless given.').choices(dimensions))
			.action((values) => run(onLeads(stats), { values }));
		program
			.command('erase <EMAIL>')
			.description('Delete all that is kept of one person.')
			.addOption(yesOption)
			.action((operand, values) => run(onLeads(erase), { operand, values }));
		program
			.command('backup <FILE>')
			.description('Copy the store to a new file while the server runs: leads, and the keys that unseal them.')
			.action((operand, values) => run(backup, { operand, values }));
		program
			.command('test')
			.description('Send a lead marked as a test to each channel, and say how it went.')
			.option('--crm', 'To a CRM too, which makes a contact of it.')
			.action((values) => run(sendTest, { values }));
	},
};

/** `test`: tries each channel once, past the store. */
async function sendTest({ channels, language, timeZone, values }: CommandContext): Promise<Report> {
	if (channels.length === 0) return failure('No channel is configured: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
	const sent = channels.filter(({ leadsOnly }) => values.crm || !leadsOnly);
	const leftOut = channels.filter((channel) => !sent.includes(channel)).map(({ name }) => name);
	const message = messageOf(receivedNow(testLead('operator test')), { language, timeZone });
	const results = await Promise.all(sent.map((channel) => resultOf(channel, message)));
	const rows = results.map(({ channel, ok, reason }) => [channel, ok ? 'ok' : 'failed', reason ?? '']);
	return {
		done: results.every(({ ok }) => ok),
		data: { id: message.id, results, leftOut },
		text: [table(['Channel', 'Result', 'Reason'], rows), ...leftOut.map((name) => `${name} ${LEFT_OUT}`)].join('\n\n'),
	};
}

async function resultOf(channel: Channel, message: Message) {
	const sent = await sendWithin(TRY_TIMEOUT, channel, message);
	return { channel: channel.name, ok: sent.ok, reason: sent.ok ? sent.note : sent.reason };
}

const LEFT_OUT =
	'was left out: it makes a contact of each lead. To try it all the same, add --crm, and delete that contact there.';

/** `backup FILE` */
async function backup({ store, operand }: CommandContext): Promise<Report> {
	if (store.kind === 'none') return failure('LEAD_STORE is none: nothing is kept that could be copied.');
	if (store.kind === 'postgres') return failure(COPY_OF_POSTGRES);
	if (!existsSync(store.path)) return failure(noStoreAt(resolve(store.path)));
	const { backUpSqlite } = await import('../../lead/store/sqlite-backup.ts');
	const file = resolve(operand!);
	backUpSqlite(resolve(store.path), file);
	const bytes = statSync(file).size;
	return { done: true, data: { file, bytes }, text: `Copied to ${file} (${bytes.toLocaleString('en')} bytes). ${COPY_ADVICE}` };
}

const COPY_OF_POSTGRES =
	'LEAD_STORE is a PostgreSQL database, which has tools of its own for this. Copy it with\n' +
	'pg_dump --format=custom --file=FILE and the URL in LEAD_STORE, and bring it back with pg_restore.';

const COPY_ADVICE =
	'It holds every lead and the keys that unseal them: keep it where only you can read it.\n' +
	'The settings are not in it: keep .env as well.';
