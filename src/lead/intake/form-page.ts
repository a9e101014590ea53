import { accessRequestPage, API_ACCESS, paths } from '../../service/links.ts';
import { defaultLanguage, languages, origin, pathIn, service } from '../../service/load.ts';

/** What a form would say of the page it stands on, by what the browser says of that (RFC 9110 section 10.1.3): for a form that was not read. */
export function formPage(referer: string | null): { language: string; values: Record<string, string> } {
	const { pathname, searchParams } = URL.parse(referer ?? '', origin) ?? new URL(origin);
	const isAt = (language: string, path: string) => pathname === pathIn(language, path);
	const language = languages.find((tag) => isAt(tag, paths.contact) || isAt(tag, accessRequestPage));
	const isAsked = pathname.endsWith(accessRequestPage) || searchParams.get('for') === API_ACCESS;
	return { language: language ?? defaultLanguage, values: isAsked && service.keys === 'issued' ? { source: API_ACCESS } : {} };
}
