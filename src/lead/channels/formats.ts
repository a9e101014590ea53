import type { Format } from './format.ts';
import { json } from './json.ts';
import { slack } from './slack.ts';

/** Every webhook that we speak: a new one is a file and a line. */
const formats = [slack, json] as const satisfies Format[];

export type FormatName = (typeof formats)[number]['name'];

/** The names that `LEAD_WEBHOOK_FORMAT` may have, beside `auto`. */
export const formatNames: FormatName[] = formats.map(({ name }) => name);

/** The format of that name; for `auto`, that of the service whose host it is, or else JSON. */
export function formatFor({ hostname }: URL, name: FormatName | 'auto'): Format {
	const named: Format | undefined = formats.find((format) => format.name === name);
	return named ?? formats.find(({ hosts }: Format) => hosts.some((host) => isAt(hostname, host))) ?? json;
}

const isAt = (hostname: string, host: string) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host);
