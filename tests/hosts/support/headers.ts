import { lookup } from 'mrmime';

/** Returns the media type that hosts give a file by its extension: texts are UTF-8. */
export function typeOf(file: string): string {
	const type = lookup(file) ?? 'application/octet-stream';
	return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

/** Returns headers with their names in lower case. */
export const lowerCase = (headers: Record<string, string> = {}) =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
