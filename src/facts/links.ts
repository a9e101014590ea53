import { defaultLanguage, pathIn } from './language.ts';

/** The `source` of a lead that asks for API access, and the last segment of the page for it. */
export const API_ACCESS = 'api-access';

/** Every path that code or prose names, written once. The build stops where nothing is published at one of them. */
export const paths = {
	home: '/',
	contact: '/contact',
	/** The contact page for requests for API access. It exists only where API keys are issued. */
	accessRequest: `/contact/${API_ACCESS}`,
	thanks: '/contact/thanks',
	privacy: '/privacy',
	docs: '/docs',
	apiReference: '/docs/api',
	apiExplorer: '/docs/api/explorer',
	searchIndex: '/docs/search.json',
	submitLead: '/api/contact',
	getStatus: '/api/status',
	openapi: '/openapi.json',
	authMd: '/auth.md',
	llmsTxt: '/llms.txt',
	llmsFullTxt: '/llms-full.txt',
	skill: '/.well-known/agent-skills/send-a-lead/SKILL.md',
	sitemap: '/sitemap.xml',
	apiCatalog: '/.well-known/api-catalog',
	protectedResource: '/.well-known/oauth-protected-resource',
	authorizationServer: '/.well-known/oauth-authorization-server',
	openidConfiguration: '/.well-known/openid-configuration',
	jwks: '/.well-known/jwks.json',
	securityTxt: '/.well-known/security.txt',
} as const;

/** The same for a reader of a language: its own pages, of those that each language has. */
export function pathsIn(language: string): Links {
	const { home, contact, accessRequest, thanks, privacy } = paths;
	const own = Object.entries({ home, contact, accessRequest, thanks, privacy });
	return { ...paths, ...Object.fromEntries(own.map(([name, path]) => [name, pathIn(language, path)])) };
}

/** Where a page for people is published in Markdown as well. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** The link that calls a number (RFC 3966, section 3: without spaces). */
export const callLink = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;

/** A number that does not break at the end of a line. */
export const unbroken = (number: string): string => number.replaceAll(' ', '\u00a0');

/** Where the image for links to a page is published. */
export const cardPath = (path: string): string => `/cards${path === '/' ? '/index' : path}.png`;

/** Of those images, in pixels: what shows links shows such whole. */
export const cardSize = { width: 1200, height: 630 };

export type Links = Record<keyof typeof paths, string>;

/** The same as {@link pathsIn}, absolute. `origin` has no trailing slash; `home` of the default language therefore ends with the only slash. */
export function linksFrom(origin: string, language: string = defaultLanguage): Links {
	const own = pathsIn(language);
	return Object.fromEntries(Object.entries(own).map(([name, path]) => [name, origin + path])) as Links;
}
