export { default } from './entry.ts';
