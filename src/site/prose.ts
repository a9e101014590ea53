import Action from './Action.astro';
import Call from './Call.astro';
import Closing from './Closing.astro';
import CodeBlock from './CodeBlock.astro';
import CollectedFields from './CollectedFields.astro';
import Fact from './Fact.astro';
import Hero from './Hero.astro';
import Image from './Image.astro';
import Link from './Link.astro';
import Aside from './parts/Aside.astro';
import Cards from './parts/Cards.astro';
import Figure from './parts/Figure.astro';
import Steps from './parts/Steps.astro';
import Question from './Question.astro';
import Questions from './Questions.astro';
import Recording from './Recording.astro';
import Slip from './Slip.astro';
import Strip from './Strip.astro';
import Tab from './tabs/Tab.astro';
import Table from './Table.astro';
import Tabs from './tabs/Tabs.astro';
import When from './When.astro';

const own = {
	Action,
	Aside,
	Call,
	Cards,
	Closing,
	CollectedFields,
	Fact,
	Figure,
	Hero,
	Link,
	Question,
	Questions,
	Recording,
	Slip,
	Steps,
	Strip,
	Tab,
	Tabs,
	When,
};

/** Our components. `src/content-check/rules/components.ts` has a row for each with its required attributes. */
export type ComponentName = keyof typeof own;

/** The components that MDX in `content/` may use without importing them, and those that replace elements of Markdown. */
export const prose = { ...own, img: Image, pre: CodeBlock, table: Table };
