import { globSync } from 'node:fs';
import { tool } from './tools.ts';

/** The program of a package, which lies in a package for this system: its own script would copy it, and none runs. */
const programOf = (packages: string, name: string) => globSync(tool(`${packages}/${name}`))[0]!;

export const bun = programOf('@oven/bun-*/bin', 'bun');
export const deno = programOf('@deno/*', 'deno');
