import { globSync, readFileSync } from 'node:fs';

/** A page of the made-up documentation, which is the same in each run: a thousand pages in forty folders with an `index.mdx`. */
export interface MadePage {
	/** Below the folder of the documentation. */
	file: string;
	title: string;
	order: number;
	/** Some 500 words with headings, a list, a table and an example. */
	prose: string;
}

const GROUPS = 40;
const PAGES_A_GROUP = 25;

export function thousandPages(): MadePage[] {
	const words = wordsBySeed();
	return Array.from({ length: GROUPS * PAGES_A_GROUP }, (_, index) => {
		const [group, place] = [Math.floor(index / PAGES_A_GROUP), index % PAGES_A_GROUP];
		const name = place === 0 ? 'index' : `page-${place}`;
		return { file: `group-${group}/${name}.mdx`, title: capital(words(3)), order: 100 + (place || group), prose: proseOf(words) };
	});
}

function proseOf(words: (count: number) => string): string {
	const paragraph = () => Array.from({ length: 4 }, () => `${capital(words(14))}.`).join(' ');
	const section = (level: string) => `${level} ${capital(words(3))}\n\n${paragraph()}\n\n${paragraph()}\n`;
	const list = Array.from({ length: 5 }, () => `- ${words(8)}`).join('\n');
	const rows = Array.from({ length: 4 }, () => `| ${words(1)} | ${words(6)} |`).join('\n');
	const example = `\`\`\`json\n{ "${words(1)}": "${words(4)}" }\n\`\`\``;
	const parts = [
		paragraph(),
		section('##'),
		list,
		section('###'),
		`| Name | Meaning |\n| - | - |\n${rows}`,
		section('##'),
		example,
	];
	return parts.join('\n\n');
}

/** Draws single words of our READMEs, as frequent as there: that is harder to compress than sentences. */
function wordsBySeed() {
	const text = globSync('{src,tests,content}/**/README.md')
		.toSorted()
		.map((file) => readFileSync(file, 'utf8'))
		.join(' ');
	const all = text.match(/(?<![\w`/{<])[A-Za-z]+(?=[ ,.])/g)!.map((word) => word.toLowerCase());
	let seed = 1;
	// A linear congruential generator, with the numbers of Numerical Recipes.
	const next = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
	return (count: number) => Array.from({ length: count }, () => all[Math.floor(next() * all.length)]!).join(' ');
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
