import type { ClientRequest } from '../../http/request.ts';
import { accessRequestPage, API_ACCESS, paths } from '../../service/links.ts';
import { languages, origin, pathIn, service } from '../../service/load.ts';

/** What a form would say of the page it stands on. */
interface FormPage {
	/** The page's language, once or twice; none where nothing tells it. */
	languages: (string | null | undefined)[];
	values: Record<string, string>;
}

/**
 * By the address that the form was sent to, which that of a page made in answer to a form names its language in, and by what the browser
 * says of the page (RFC 9110, section 10.1.3): for a form that was not read.
 */
export function formPage({ url, headers }: Pick<ClientRequest, 'url' | 'headers'>): FormPage {
	const { pathname, searchParams } = locationOf(headers.get('referer') ?? '');
	const isAt = (language: string, path: string) => pathname === pathIn(language, path);
	const language = languages.find((tag) => isAt(tag, paths.contact) || isAt(tag, accessRequestPage));
	const isAsked = pathname.endsWith(accessRequestPage) || searchParams.get('for') === API_ACCESS;
	return {
		languages: [locationOf(url).searchParams.get('lang'), language],
		values: isAsked && service.keys === 'issued' ? { source: API_ACCESS } : {},
	};
}

const locationOf = (url: string) => URL.parse(url, origin) ?? new URL(origin);
