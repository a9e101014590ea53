/** Loaded before a program under test: what it remembers for half a minute it remembers for less than a second. */
const now = performance.now.bind(performance);
performance.now = () => now() * 60;
