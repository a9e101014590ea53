/** Loaded before a program under test: its clock is ahead by CLOCK_SHIFT milliseconds, or by ten minutes. */
const now = Date.now;
const shift = Number(process.env['CLOCK_SHIFT'] ?? 600_000);
Date.now = () => now() + shift;
