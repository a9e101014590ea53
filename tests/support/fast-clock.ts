/** Loaded before a program under test: its clock is ten minutes ahead. */
const now = Date.now;
Date.now = () => now() + 600_000;
