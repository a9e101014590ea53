import { paths } from '../facts/links.ts';
import type { Check, Examination } from './examination.ts';
import { fault, ok, type Verdict, warning } from './verdict.ts';

const BUILD = 'Build and deploy again.';

/** RFC 9116 section 2.5.5 */
async function securityTxt({ ask }: Examination): Promise<Verdict> {
	const { status, body } = await ask(paths.securityTxt, { headers: { 'accept-encoding': 'identity' } });
	const expires = /^Expires: (.*)$/m.exec(body.toString())?.[1];
	if (status !== 200 || expires === undefined) return fault(`answered ${status}, and says no day`, BUILD);
	const days = daysUntil(new Date(expires));
	if (!(days >= 0)) return fault(remaining(-1), BUILD);
	return days < EXPIRY_NOTICE ? warning(remaining(days), BUILD) : ok(remaining(days));
}

/** Checks of expiry dates. */
export const expiryChecks: Check[] = [{ name: 'security.txt', look: securityTxt }];

/** In milliseconds. */
const DAY = 86_400_000;

/** In days: how early to warn that something expires. */
export const EXPIRY_NOTICE = 30;

export const daysUntil = (end: Date) => Math.floor((end.getTime() - Date.now()) / DAY);

export const remaining = (days: number) => (days < 0 ? 'it has ended' : `${days} ${days === 1 ? 'day' : 'days'} left`);
