import { service } from '../facts/load.ts';

/** A title as it stands in the browser's tab: with our name, by a mark that every language sets alike. */
export const withName = (title: string): string => (title.includes(service.name) ? title : `${title} · ${service.name}`);
