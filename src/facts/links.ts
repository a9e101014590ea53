import { defaultLanguage, pathIn } from './language.ts';

/** The `source` of a lead that asks for API access, and the last segment of the page for it. */
export const API_ACCESS = 'api-access';

/** The offers that visitors ask a price for, each with a contact page of its own, `/contact/plans`, whose `source` is `/contact?topic=plans`. */
export const topics = ['payg', 'plans'] as const;

/** Every path that code or prose names, written once. A test fails if one of them has no page or document. */
export const paths = {
	home: '/',
	contact: '/contact',
	/** The contact page for requests for API access. It exists only where API keys are issued. */
	accessRequest: `/contact/${API_ACCESS}`,
	thanks: '/contact/thanks',
	privacy: '/privacy',
	/** The page exists only where the facts have `trust`. */
	trust: '/trust',
	docs: '/docs',
	sendALead: '/docs/send-a-lead',
	authentication: '/docs/authentication',
	errors: '/docs/errors',
	apiReference: '/docs/api',
	apiExplorer: '/docs/api/explorer',
	searchIndex: '/docs/search.json',
	submitLead: '/api/contact',
	getStatus: '/api/status',
	openapi: '/openapi.json',
	authMd: '/auth.md',
	llmsTxt: '/llms.txt',
	skill: '/.well-known/agent-skills/send-a-lead/SKILL.md',
	sitemap: '/sitemap.xml',
	apiCatalog: '/.well-known/api-catalog',
	protectedResource: '/.well-known/oauth-protected-resource',
	authorizationServer: '/.well-known/oauth-authorization-server',
	openidConfiguration: '/.well-known/openid-configuration',
	jwks: '/.well-known/jwks.json',
	securityTxt: '/.well-known/security.txt',
} as const;

/** Returns whether a path is that of a problem's page. */
export const isProblemPath = (path: string | undefined): boolean => path?.startsWith(`${paths.errors}/`) ?? false;

/** Returns {@link paths} for a reader of a language: pages that every language has lead to the language's own. */
export function pathsIn(language: string): Links {
	const { home, contact, accessRequest, thanks, privacy, trust } = paths;
	const own = Object.entries({ home, contact, accessRequest, thanks, privacy, trust });
	return { ...paths, ...Object.fromEntries(own.map(([name, path]) => [name, pathIn(language, path)])) };
}

/** Returns the path of a page's Markdown. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

export type Links = Record<keyof typeof paths, string>;

/** Returns {@link pathsIn} as URLs. `origin` has no trailing slash, so only `home` of the default language ends with one. */
export function linksFrom(origin: string, language = defaultLanguage): Links {
	const own = pathsIn(language);
	return Object.fromEntries(Object.entries(own).map(([name, path]) => [name, origin + path])) as Links;
}

/** Returns the path of a published file: `/` for `index.html`, `/docs/api` for `docs/api.html`, `/openapi.json` for itself. */
export const urlPath = (file: string): string => `/${file}`.replace(/\.html$/, '').replace(/^\/index$/, '/');

/** Decodes a path or URL, unless its escapes are invalid. */
export function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}

/** Returns the address for a link to a fact, such as `email.sales`, `phone.demo` or `path.contact`. */
export function hrefOf(name: string, value: string): string {
	if (name.startsWith('email.')) return `mailto:${value}`;
	// RFC 3966, section 3: without spaces. In `+44 (0)20` the 0 is not dialled.
	return name.startsWith('phone.') ? `tel:${value.replace(/\(0\)|[^+\d]/g, '')}` : value;
}
