import { service } from '../facts/load.ts';

/** Returns the title for the browser's tab: our name follows after a mark that every language sets alike. */
export const withName = (title: string): string => (title.includes(service.name) ? title : `${title} · ${service.name}`);
