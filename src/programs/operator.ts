import { basename, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { channelsOf, visitorMailOf } from '../lead/channels/index.ts';
import { type ExitCode, runCommand } from '../lead/command/command.ts';
import type { LeadSettings } from '../lead/command/context.ts';
import { StoreError } from '../lead/store/store.ts';
import { withMailbox } from '../server/deployment.ts';
import { readSettings, SettingsError } from '../server/settings/settings.ts';

// Whoever reads our output may close it first: `npm run leads -- list | head`.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<ExitCode> {
	try {
		return await runCommand(
			args.filter((arg) => arg !== '--local'),
			{
				program: program(),
				settings: () => settingsOf({ local: args.includes('--local') }),
				stdout: (text) => process.stdout.write(text),
				stderr: (text) => process.stderr.write(text),
				confirm: process.stdin.isTTY ? confirm : undefined,
			},
		);
	} catch (error) {
		if (error instanceof SettingsError) console.error(`These settings cannot be used:\n${error.message}`);
		else if (error instanceof StoreError) console.error(error.message);
		else throw error;
		return 1;
	}
}

function settingsOf({ local }: { local: boolean }): LeadSettings {
	const settings = withMailbox(readSettings(), local);
	const { store, retention } = settings;
	return { store, retention, channels: channelsOf(settings), visitorMail: visitorMailOf(settings) };
}

/** What the operator typed to come here. */
function program(): string {
	if (process.env['npm_lifecycle_event'] === 'leads') return 'npm run leads --';
	const [, file = ''] = process.argv;
	return `node ${relative('', file) || basename(file)}`;
}

/** Ctrl+D and Ctrl+C are a no. */
async function confirm(question: string): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal
		.question(`${question} [y/N] `)
		.catch(() => '')
		.finally(() => terminal.close());
	return /^y(es)?$/i.test(answer.trim());
}
