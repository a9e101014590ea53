import { expect, test } from 'vitest';
import { runLeads } from '../../support/leads-command.ts';
import { lead, postLead } from '../../support/post-lead.ts';
import { startStoring } from '../../support/storing-server.ts';

const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };

test('long work says on a terminal what it does, how far it is and how long it took, and leaves nothing of that', async () => {
	await using storing = await startStoring();
	const { env, folder } = storing;
	for (const message of ['One', 'Two']) await postLead(storing.server.url, { message });
	await storing.server.process.printed(/Delivered[^]*Delivered/);
	/** Returns the steps that a command showed, without their seconds. */
	const stepsOf = async (args: string[]) => {
		const { stdout, stderr } = await runLeads(args, { ...env, ...terminal });
		const lines = stderr.split('\r\u001B[2K');
		expect([lines[0], lines.at(-1), stdout.includes('\u001B')]).toEqual(['', '', false]);
		const steps = lines.filter((line) => line !== '');
		expect(steps).toEqual(steps.map(() => expect.stringMatching(/ … \d+ s$/)));
		return [...new Set(steps.map((step) => step.replace(/ … \d+ s$/, '')))];
	};
	const [opening, cleaning] = ['Opening the store', 'Removing it from the store’s files'];
	expect(await stepsOf(['export'])).toEqual([opening, 'Exporting: 0 of 2 leads', 'Exporting: 2 of 2 leads']);
	expect(await stepsOf(['backup', `${folder}/copy.db`])).toEqual([expect.stringMatching(/^Copying about [\d,]{5,} bytes$/)]);
	await postLead(storing.server.url, { email: 'bob@example.com' });
	await storing.server.process.printed(/(Delivered[^]*){3}/);
	expect(await stepsOf(['erase', 'bob@example.com', '--yes'])).toEqual([opening, 'Deleting 1 entry', cleaning]);
	using file = storing.database();
	file.exec('UPDATE lead_entries SET received_at = 0');
	expect(await stepsOf(['purge'])).toEqual([opening, 'Deleting: 2 so far', cleaning]);
});

test('long work says nothing of that where it is piped', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	for (const args of [['export'], ['purge'], ['erase', lead.email, '--yes']])
		expect(await storing.leads(...args)).toMatchObject({ stderr: '' });
});
