import type { components } from '../editing/components.ts';
import Cards from './Cards.astro';
import CodeBlock from './CodeBlock.astro';
import CollectedFields from './CollectedFields.astro';
import Fact from './Fact.astro';
import Hero from './Hero.astro';
import Image from './Image.astro';
import Link from './Link.astro';
import Slip from './Slip.astro';
import Table from './Table.astro';
import When from './When.astro';

const own: Record<keyof typeof components, unknown> = { Cards, CollectedFields, Fact, Hero, Link, Slip, When };

/** What MDX in `content/` may use without importing it, and what stands for elements of Markdown. */
export const prose = { ...own, img: Image, pre: CodeBlock, table: Table };
