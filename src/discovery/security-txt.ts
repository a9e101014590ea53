import type { Source } from './source.ts';

/** RFC 9116 section 2.5.5 wants less than a year. */
const DAYS_VALID = 180;

/** `/.well-known/security.txt` (RFC 9116). It expires by the day, so that two builds of one day are the same. */
export function securityTxt({ service, links, now }: Source): string {
	const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + DAYS_VALID));
	return `Contact: mailto:${service.emails.security}
Expires: ${expires.toISOString()}
Preferred-Languages: en
Canonical: ${links.securityTxt}
`;
}
