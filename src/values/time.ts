import { mustBe, valueFrom } from './value.ts';

/** Almost the limit of Node's timers, which is 2^31 - 1 milliseconds. A longer timer would end at once. */
export const LONGEST_TIMER = '24d';
/** A hundred years: still a date, in milliseconds, for every store. */
export const LONGEST_KEPT = '36500d';

/** In seconds, the largest first. */
const units = [
	{ letter: 'y', name: 'year', size: 31_536_000 },
	{ letter: 'd', name: 'day', size: 86_400 },
	{ letter: 'h', name: 'hour', size: 3600 },
	{ letter: 'm', name: 'minute', size: 60 },
	{ letter: 's', name: 'second', size: 1 },
];

/** The units of a time, for messages. */
export const TIME_UNITS = 's, m, h, d or y (365 days)';

/** Returns the seconds of a time such as `30d`. */
export const secondsOf = (time: string) => Number.parseInt(time, 10) * units.find(({ letter }) => time.endsWith(letter))!.size;

/** Returns true if a text is a time such as `30d`, and not longer than this. */
export const isTime = (value: string, longest: string) =>
	/^[1-9]\d*[smhdy]$/.test(value) && secondsOf(value) <= secondsOf(longest);

/** A time such as `30d`, in seconds. */
export const duration = (longest: string, example: string) =>
	valueFrom((text) => isTime(text, longest), secondsOf, mustBe(`a time in ${TIME_UNITS}, from 1s to ${longest}`, example));

/** A time such as `30d`, in seconds; `0` means none. */
export const durationOrNone = (longest: string, example: string) =>
	valueFrom(
		(text) => text === '0' || isTime(text, longest),
		(text) => (text === '0' ? 0 : secondsOf(text)),
		mustBe(`a time in ${TIME_UNITS}, ${longest} at most, or 0`, example),
	);

/** Returns the largest unit that a time is a whole number of. */
function wholeUnits(seconds: number) {
	const { size, ...unit } = units.find(({ size }) => seconds % size === 0)!;
	return { count: seconds / size, ...unit };
}

/** Writes a time as in a setting: `10m`. */
export function timeText(seconds: number): string {
	const { count, letter } = wholeUnits(seconds);
	return `${count}${letter}`;
}

/** Writes a time for people: `10 minutes`. */
export function timeWords(seconds: number): string {
	const { count, name } = wholeUnits(seconds);
	return new Intl.NumberFormat('en', { style: 'unit', unit: name, unitDisplay: 'long', useGrouping: false }).format(count);
}

/** Puts a time into words, rounded to the largest unit that fits. @param seconds 1 or more */
export function roughTime(seconds: number): string {
	const { size } = units.find(({ size }) => size <= seconds)!;
	return timeWords(Math.round(seconds / size) * size);
}
