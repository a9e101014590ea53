import type { Manifest } from '../../server/manifest.ts';

/** The paths at which `?for=api-access` shows another page, each with the path of that page. */
export const accessRequests = (manifest: Manifest): [from: string, to: string][] =>
	Object.entries(manifest).flatMap(([path, { accessRequest }]) => (accessRequest === undefined ? [] : [[path, accessRequest]]));
