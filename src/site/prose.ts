import type { AstroComponentFactory } from 'astro/runtime/server/index.js';
import CodeBlock from './CodeBlock.astro';
import Table from './Table.astro';

const files = import.meta.glob<AstroComponentFactory>('./prose/*.astro', { eager: true, import: 'default' });
const own = Object.entries(files).map(([file, component]) => [file.replace(/^.*\/|\.astro$/g, ''), component]);

/** The components that MDX in `content/` may use without importing them, and those that replace elements of Markdown. */
export const prose = { ...Object.fromEntries(own), pre: CodeBlock, table: Table };
