import type { Logger } from 'pino';
import { expiryOf } from '../discovery/security-txt.ts';
import { paths } from '../service/links.ts';
import { builtOn } from '../service/load.ts';

/** In milliseconds. */
const DAY = 86_400_000;
/** How long before the end we begin to tell. */
const NOTICE = 30 * DAY;

/** Warns, now and once a day, from thirty days before `security.txt` expires (RFC 9116 section 2.5.5). */
export function watchExpiry(log: Logger): void {
	const expires = expiryOf(builtOn);
	const tell = () => {
		if (expires.getTime() - Date.now() < NOTICE)
			log.warn({ expires }, `${paths.securityTxt} is old: after this date nobody may rely on it. Build and deploy again.`);
	};
	tell();
	setInterval(tell, DAY).unref();
}
