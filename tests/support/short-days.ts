/** Loaded before a program under test: 149 days have passed since its build, and each further day takes a tenth of a second. */
const DAY = 86_400_000;
const SHORT = 100;
const realNow = Date.now;
const realInterval = globalThis.setInterval;
let days = 149;
Date.now = () => realNow() + days * DAY;
realInterval(() => (days += 1), SHORT).unref();
globalThis.setInterval = ((work: () => void, delay: number) =>
	realInterval(work, delay === DAY ? SHORT : delay)) as typeof globalThis.setInterval;
