/** Loaded before a program under test: its clock is ahead by CLOCK_SHIFT milliseconds, or by ten minutes. */
const { now } = Date;
const shift = Number(process.env['CLOCK_SHIFT'] ?? 600_000);
Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
	construct: (target, args, own) => Reflect.construct(target, args.length > 0 ? args : [target.now()], own) as Date,
});
