import { globSync } from 'node:fs';
import { tool } from './tools.ts';

/** Returns the program from a package for this system: no install script runs here that would copy it. */
const programOf = (packages: string, name: string) => globSync(tool(`${packages}/${name}`))[0]!;

export const bun = programOf('@oven/bun-*/bin', 'bun');
export const deno = programOf('@deno/*', 'deno');
