import { problemNames, problems, problemType, retryOf } from '../http/problem.ts';
import { operations } from '../operations/operations.ts';
import { factsOf, fillFacts } from '../facts/facts.ts';
import { paths } from '../facts/links.ts';
import { filterByKeys } from '../facts/key-marks.ts';
import { leadFields } from '../lead/lead.ts';
import type { Source } from './source.ts';

/** Returns the facts that only texts for programs may name. */
const textFacts = ({ service, origin, links, documents, words }: Source) => ({
	operations: new Intl.ListFormat('en-GB').format(operations.map(({ methods, path }) => `\`${methods[0]} ${origin}${path}\``)),
	'list.documents': documents.map(({ path, purpose }) => `- <${origin}${path}>: ${purpose}`).join('\n'),
	'list.fields': fieldList().replaceAll('{{consent.rule}}', words.consentRule),
	'list.problems': problemTable({ service, links }),
});

/**
 * Returns a text of `content/` for programs as published: with its facts, and what is true of our API keys.
 *
 * @throws {ContentError} a mark has a mistake, or the text names a fact that does not exist
 */
export function publishedText(text: string, file: string, source: Source): string {
	const { service, links, words } = source;
	const facts = { ...factsOf(service, links, words), ...textFacts(source) };
	return fillFacts(filterByKeys(text, service.keys, file), facts, file);
}

/**
 * `/auth.md` (github.com/workos/auth.md, v0.1.0). It lists the other documents.
 *
 * @throws {ContentError} as {@link publishedText}
 */
export function authMd(source: Source): string {
	const documents = source.documents.filter(({ path }) => path !== paths.authMd);
	return publishedText(source.authMd, 'content/auth.md', { ...source, documents });
}

/** Lists every member of a lead in Markdown, with its rules. */
const fieldList = (): string =>
	leadFields
		.map(({ name, kind, required, maxLength, options = {}, description }) => {
			const values = Object.entries(options).map(([value, label]) => `\`${value}\` (${label})`);
			const rules = [
				required && 'required',
				maxLength !== undefined && `at most ${maxLength} characters`,
				kind === 'consent' && 'with the value "on"',
				values.length > 0 && `one of ${values.join(', ')}`,
			];
			return `- ${[`\`${name}\``, ...rules].filter(Boolean).join(', ')}: ${description}`;
		})
		.join('\n');

/** Lists every problem in a Markdown table (GFM): its meaning, its remedy, and whether to send the request again. */
function problemTable({ service, links }: Pick<Source, 'service' | 'links'>): string {
	const rows = problemNames(service).map((name) => {
		const { status, title, detail } = problems[name];
		return [`[${name}](${problemType(name, links)})`, status, `${title}. ${detail}`, retryOf(name)];
	});
	const head = ['Problem', 'Status', 'What it means, and what to do', 'Send it again'];
	return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
