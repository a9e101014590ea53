import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { facts, languages, service } from '../../src/facts/load.ts';
import { ofIssuedKeys } from '../discovery/published.ts';
import { copyOfProject } from '../support/project-copy.ts';

/** Another firm's facts, by path in `content/service.yaml`. */
const otherFacts = {
	name: 'Nachtglocke',
	company: 'Glockenwerk GmbH',
	legalName: 'Glockenwerk Telefonie GmbH',
	address: 'Glockengasse 9, 20095 Hamburg',
	register: 'Amtsgericht Hamburg, HRB 90009',
	phones: { office: '+49 30 23125 000', demo: '+49 30 23125 001' },
	profiles: { 'Example Network': 'https://network.example/glockenwerk' },
	answerWorkingDays: 3,
	identifier: 'nachtglocke-web',
	'prices.currency': 'JPY',
	'prices.payAsYouGo.from': 61,
	'prices.plans.from': 14500,
	'emails.sales': 'hallo@glockenwerk.example',
	'emails.privacy': 'daten@glockenwerk.example',
	'emails.security': 'luecken@glockenwerk.example',
	keys: 'none',
};

const drawing = readFileSync('content/logo.svg', 'utf8');
const palette = readFileSync('content/palette.css', 'utf8');
/** Returns the colours of a palette that no other project is likely to use. */
const coloursIn = (css: string) => css.match(/#(?!(..)\1\1)[\da-f]{6}/g) ?? [];
const otherPalette = palette.replace(/#(..)(..)(..)/g, '#$3$1$2');
const otherDrawing =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle fill="var(--warm)" cx="4" cy="4" r="4" /></svg>';

/** The tests that read facts, without those that build as this one does, or start a program for most of their tests. */
const readsFacts = /import \{[^}]*\b(service|facts)\b[^}]*\} from '.*\/facts\/load\.ts'|from '.*\/published\.ts'/;
const slow = /\/(content|content-check|function|command|intake)\/|\/confirmation\./;
const tests = globSync('tests/**/*.test.ts').filter((file) => {
	const source = readFileSync(file, 'utf8');
	return !slow.test(file) && !source.includes('/project-copy.ts') && readsFacts.test(source);
});

describe('another firm changes its facts, its palette and its drawing', () => {
	let copy: Awaited<ReturnType<typeof copyOfProject>>;
	beforeAll(async () => {
		copy = await copyOfProject(languages);
		await copy.setFacts(otherFacts);
		await copy.write('content/palette.css', otherPalette);
		await copy.write('content/logo.svg', otherDrawing);
		await copy.buildWhole();
	});
	afterAll(() => copy[Symbol.asyncDispose]());

	const files = async () => {
		const all = await readdir(copy.at('var/test/dist'), { recursive: true, withFileTypes: true });
		return all.filter((file) => file.isFile() && !/\.(br|gz|bin)$/.test(file.name));
	};

	test('and nothing that is built has ours', async () => {
		const ours = [
			service.name,
			service.company,
			service.identifier,
			...Object.values(service.emails),
			...[service.legalName, service.address, service.register].filter((fact) => fact !== undefined),
			facts['price.payAsYouGo']!,
			facts['price.plans']!,
			...coloursIn(palette),
			...[...drawing.matchAll(/ d="(.*?)"/g)].map(([, path]) => path!),
		];
		for (const { parentPath, name } of await files()) {
			const text = `${name}\n${await readFile(`${parentPath}/${name}`, 'utf8')}`.toLowerCase();
			expect([name, ours.filter((fact) => text.includes(fact.toLowerCase()))]).toEqual([name, []]);
		}
	});

	test('and, as it issues no API keys, nothing that it publishes speaks of any', async () => {
		for (const { parentPath, name } of (await files()).filter((file) => !/\.m?js$/.test(file.name))) {
			const text = (await readFile(`${parentPath}/${name}`, 'utf8')).replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ');
			expect([name, ofIssuedKeys.exec(text)?.[0]]).toEqual([name, undefined]);
		}
	});

	test.each([
		['index.html', 'Nachtglocke'],
		['index.html', 'JPY 61 per minute'],
		['index.html', 'JPY 14,500 per month'],
		['de.html', '61\u00a0¥'],
		['index.html', '<circle fill="var(--warm)"'],
		['privacy.html', 'Glockenwerk GmbH'],
		['de/contact.html', 'Amtsgericht Hamburg, HRB 90009'],
		['favicon.svg', '<circle fill="var(--warm)"'],
		['favicon.svg', /--warm: (.*);/.exec(otherPalette)![1]!],
		['site.webmanifest', '"name":"Nachtglocke"'],
		['.well-known/security.txt', 'luecken@glockenwerk.example'],
		['../machines/nachtglocke-web.service', 'StateDirectory=nachtglocke-web'],
	])('%s has %s', async (file, text) => {
		expect(await copy.built(file)).toContain(text);
	});

	test('and browsers frame its pages in its colours', async () => {
		const [light, dark] = [...otherPalette.matchAll(/--background: (.*);/g)].map(([, colour]) => colour);
		expect(await copy.built('index.html')).toContain(
			`content="${light}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)"`,
		);
	});

	// Each of them has the time limit of any test, and reports itself if it hangs, so all together get longer.
	test('and the tests pass', { timeout: 900_000 }, async () => {
		const { code, output } = await copy.test(['tests/facts', 'tests/site', ...tests]);
		expect(code, output).toBe(0);
	});
});

test('tests read the words with the facts as they stand, whatever those were in the run before', async () => {
	await using copy = await copyOfProject();
	await copy.write(
		'tests/name.test.ts',
		`import { expect, test } from 'vitest';
		import { copyIn, service } from '../src/facts/load.ts';
		test('the name', () => expect(copyIn('en').confirmation.text).toContain(service.name));`,
	);
	expect(await copy.test(['tests/name'])).toMatchObject({ code: 0 });
	await copy.setFacts({ name: 'Nachtglocke' });
	const { code, output } = await copy.test(['tests/name']);
	expect(code, output).toBe(0);
});
