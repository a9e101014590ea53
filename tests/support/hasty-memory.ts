/** Loaded before a program under test: what it remembers for half a minute it remembers for half a second. */
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() * 60;
