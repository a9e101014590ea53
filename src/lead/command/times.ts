/** `2026-11-21 09:30:00 UTC` */
export const dateTime = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** ISO 8601, for programs; null stays null. */
export const isoTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** In UTC, as short as a list needs it: `21 Nov 09:30`, or `21 Nov 2025` in another year. */
export function shortTime(time: number, now: number): string {
	const date = new Date(time);
	const day = `${String(date.getUTCDate()).padStart(2)} ${months[date.getUTCMonth()]}`;
	const sameYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
	return `${day} ${sameYear ? date.toISOString().slice(11, 16) : date.getUTCFullYear()}`;
}

/** How long until then: `now`, `in 30 s`, `in 5 min`, `in 14 h`, `in 3 d`. */
export function until(time: number, now: number): string {
	const seconds = Math.round((time - now) / 1000);
	if (seconds <= 0) return 'now';
	const [unit, size] = units.findLast(([, size]) => seconds >= size)!;
	return `in ${Math.round(seconds / size)} ${unit}`;
}

/** With the seconds of each. */
const units: [string, number][] = [
	['s', 1],
	['min', 60],
	['h', 3600],
	['d', 86_400],
];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
