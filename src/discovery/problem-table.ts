import { problemNames, problems, problemType, retryOf } from '../http/problem.ts';
import type { Source } from './source.ts';

/** Every problem in a table of Markdown (GFM): what it means, what to do, and whether to send the request again. */
export function problemTable({ service, links }: Pick<Source, 'service' | 'links'>): string {
	const rows = problemNames(service).map((name) => {
		const { status, title, detail } = problems[name];
		return [`[${name}](${problemType(name, links)})`, status, `${title}. ${detail}`, retryOf(name)];
	});
	const head = ['Problem', 'Status', 'What it means, and what to do', 'Send it again'];
	return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
