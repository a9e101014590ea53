import type { Format } from './format.ts';
import * as services from './services.ts';

export type FormatName = (typeof services)[keyof typeof services]['name'];

const formats: Format[] = Object.values(services);

/** The names that `LEAD_WEBHOOK_FORMAT` may have, beside `auto`. */
export const formatNames: FormatName[] = Object.values(services).map(({ name }) => name);

/** The format of that name; for `auto`, that of the service whose host it is, or else JSON. */
export function formatFor({ hostname }: URL, name: FormatName | 'auto'): Format {
	const named = formats.find((format) => format.name === name);
	return named ?? formats.find(({ hosts }) => hosts.some((host) => isAt(hostname, host))) ?? services.json;
}

/** What is wrong with a webhook's URL, and what to do; undefined: nothing that can be seen from here. */
export function urlFault(url: URL, name: FormatName | 'auto'): string | undefined {
	return services.teams.faultOf(url) ?? formatFor(url, name).faultOf?.(url);
}

const isAt = (hostname: string, host: string) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host);
