import type { Source } from './source.ts';

/** RFC 9116 section 2.5.5 wants less than a year. */
const DAYS_VALID = 180;

/**
 * `/.well-known/security.txt` (RFC 9116). It expires at the start of a day, so that two builds of one day are equal. Only another
 * build renews this file: the server warns operators in time (`src/server/backend.ts`).
 */
export const securityTxt = ({ service, links, builtOn }: Source): string => `Contact: mailto:${service.emails.security}
Expires: ${expiryOf(builtOn).toISOString()}
Preferred-Languages: en
Canonical: ${links.securityTxt}
`;

/** Returns when the file of a build expires. */
export const expiryOf = (builtOn: string): Date => new Date(Date.parse(builtOn) + DAYS_VALID * 86_400_000);
