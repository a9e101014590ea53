import Cards from './Cards.astro';
import CodeBlock from './CodeBlock.astro';
import CollectedFields from './CollectedFields.astro';
import Fact from './Fact.astro';
import Hero from './Hero.astro';
import Link from './Link.astro';
import Slip from './Slip.astro';
import Table from './Table.astro';
import When from './When.astro';

/** What MDX in `content/` may use without importing it. */
export const prose = { Cards, CollectedFields, Fact, Hero, Link, Slip, When, pre: CodeBlock, table: Table };
