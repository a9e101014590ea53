/** All signals: each file beside this one that has a `look` is one of them. */
export { disposable } from './disposable.ts';
export { engine } from './engine.ts';
export { honeypot } from './honeypot.ts';
export { links } from './links.ts';
export { nameAddress } from './name-address.ts';
export { randomLetters } from './random-letters.ts';
export { repeated } from './repeated.ts';
export { trained } from './trained.ts';
