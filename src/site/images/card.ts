import type { Node } from '@takumi-rs/core';
import type { Page } from '../../discovery/source.ts';
import { cardSize } from '../../facts/links.ts';
import { service } from '../../facts/load.ts';
import { palette } from '../brand.ts';
import { isRightToLeft } from '../../facts/direction.ts';
import { draw, isLettered } from './draw.ts';
import styles from './card.css?raw';

type CardPage = Pick<Page, 'title' | 'description' | 'language'>;

/** Draws the PNG for shared links to a page: its words beside our drawing, or only our name if the fonts lack a letter. */
export const card = (page: CardPage): Promise<Buffer<ArrayBuffer>> =>
	draw(cardOf(page), { ...cardSize, css: [palette, styles], lang: page.language });

function cardOf(page: CardPage): Node {
	const dir = isRightToLeft(page.language) ? 'rtl' : 'ltr';
	const parts = [
		box('words', isLettered(page.title + page.description) ? wordsOf(page) : [text('title', service.name)]),
		box('panel', [{ type: 'image', src: 'logo', className: 'drawing' }]),
	];
	return { ...box(`card ${dir}`, parts), dir };
}

const wordsOf = ({ title, description }: CardPage): Node[] => [
	text('name', service.name),
	box('page', [text(title.length > LONG ? 'long' : 'title', title), text('description', description)]),
];

/** In characters: a longer title takes more than three lines in large letters. */
const LONG = 40;

const box = (className: string, children: Node[]): Node => ({ type: 'container', className, children });
const text = (className: string, words: string): Node => ({ type: 'text', className, text: words });
