import { paths } from '../facts/links.ts';
import { defaultLanguage, service, wordsIn } from '../facts/load.ts';
import { lightGround } from './brand.ts';
import { icons } from './images/icons.ts';

/** Icons without Apple's, which the pages link to. */
const manifestIcons = Object.entries(icons).filter(([, { shape }]) => shape !== 'rounded');

/** Describes the site as an installed program (W3C Web Application Manifest). It stays in the browser's own window. */
export const webManifest = {
	id: paths.home,
	start_url: paths.home,
	name: service.name,
	description: wordsIn(defaultLanguage).description,
	lang: defaultLanguage,
	display: 'browser',
	background_color: lightGround,
	theme_color: lightGround,
	icons: [
		{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
		...manifestIcons.map(([name, { size, shape }]) => ({
			src: `/${name}.png`,
			sizes: `${size}x${size}`,
			type: 'image/png',
			purpose: shape === 'masked' ? 'maskable' : 'any',
		})),
	],
};
