export { workerFor } from './entry.ts';
