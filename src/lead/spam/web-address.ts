/** A web address in a text. */
export interface WebAddress {
	/** In lower case, without `www.`. */
	host: string;
	/** From its first slash. Empty without one. */
	path: string;
	/** Whether a scheme or `www.` begins it. */
	linked: boolean;
	/** Whether HTML or BBCode makes it a link. */
	marked: boolean;
}

/** Each label of a host has at most 63 characters (RFC 1035 section 2.3.4). Hosts in a mail address do not count. */
const form =
	/(?<![\p{L}\p{N}@.-])(?<start>(?:href=["']?|\[url[=\]]["']?)?(?:https?:\/\/)?(?:www\.)?)(?<host>(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,6}(?<top>\p{L}{2,24}))(?![\p{L}\p{N}@])(?::\d{1,5})?(?<path>\/[^\s<>"'()[\]]*)?/giu;

/** Domains without a scheme or a path count below these only: `Dr.de Vries` and `consulta.es` are no addresses. */
const bareTops = new Set('com net org info biz io xyz shop online site club agency dental clinic ru fr ch br uk eu'.split(' '));

/** Returns the web addresses in a text as long as a message may be, a hundred at most. */
export function webAddressesIn(text: string): WebAddress[] {
	const found: WebAddress[] = [];
	if (!text.includes('.')) return found;
	for (const { groups } of text.slice(0, 5000).matchAll(form)) {
		const { start = '', host = '', top = '', path = '' } = groups!;
		const bare = start === '' && path === '';
		if (bare && !bareTops.has(top.toLowerCase())) continue;
		found.push({ host: host.toLowerCase(), path, linked: start !== '', marked: /^(?:href|\[url)/i.test(start) });
		if (found.length === 100) break;
	}
	return found;
}

/** Services where anybody has a page, a form, a calendar or a short link: only the path tells whose it is. */
const shared = new RegExp(
	`(?:^|\\.)(?:${[
		'google\\.[a-z.]+ goo\\.gl maps\\.app\\.goo\\.gl forms\\.gle youtube\\.com youtu\\.be facebook\\.com fb\\.me instagram\\.com',
		'linkedin\\.com x\\.com twitter\\.com tiktok\\.com pinterest\\.com medium\\.com github\\.com notion\\.so notion\\.site',
		'calendly\\.com cal\\.com tidycal\\.com savvycal\\.com zcal\\.co hubspot\\.com doctolib\\.[a-z]+ jameda\\.de doctoralia\\.[a-z.]+',
		'treatwell\\.[a-z.]+ dropbox\\.com wetransfer\\.com office\\.com sharepoint\\.com typeform\\.com wikipedia\\.org trustpilot\\.com',
		'apple\\.com microsoft\\.com amazon\\.[a-z.]+ tripadvisor\\.[a-z.]+ yelp\\.[a-z.]+ wordpress\\.com wixsite\\.com blogspot\\.com',
		'bit\\.ly tinyurl\\.com t\\.co cutt\\.ly is\\.gd rebrand\\.ly shorturl\\.at rb\\.gy t\\.ly ow\\.ly linktr\\.ee t\\.me telegram\\.me',
		'wa\\.me whatsapp\\.com telegra\\.ph te\\.legra\\.ph discord\\.gg',
	]
		.join(' ')
		.split(' ')
		.join('|')})$`,
);

/** Returns whose link it is: the host or, where strangers share one, the host and the beginning of the path. */
export const ownerOf = ({ host, path }: WebAddress): string =>
	shared.test(host) ? `${host}${path.toLowerCase().replace(dated, '').split('/', 3).join('/')}` : host;

/** Pages at Telegraph end with the day they were made on. */
const dated = /-\d\d-\d\d(?:-\d{1,4})?(?:\?.*)?$/;

/** Services that hide where a link leads, or lead to a chat with a stranger. */
const hiding =
	/^(?:bit\.ly|tinyurl\.com|t\.co|cutt\.ly|is\.gd|rebrand\.ly|shorturl\.at|rb\.gy|t\.ly|ow\.ly|t\.me|telegram\.me|telegra\.ph|te\.legra\.ph|discord\.gg)$/;

export const hidesTarget = ({ host }: WebAddress): boolean => hiding.test(host);

/** Services where sellers let strangers book a talk with them. */
const scheduling =
	/(?:^|\.)(?:calendly\.com|cal\.com|tidycal\.com|savvycal\.com|zcal\.co|meetings\.hubspot\.com|meetings-eu1\.hubspot\.com|koalendar\.com|oncehub\.com|youcanbook\.me|chilipiper\.com|appointlet\.com|calendar\.app\.google|bookings\.cloud\.microsoft)$/;

export const books = ({ host, path }: WebAddress): boolean =>
	scheduling.test(host) ||
	(host.endsWith('hubspot.com') && path.startsWith('/meetings/')) ||
	/^\/(?:bookwithme|book-a-call|calendly)\b/i.test(path);

/** Returns whether a link leads to the domain of a mail address, above or below it. */
export function isOf({ host }: WebAddress, email = ''): boolean {
	const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
	return domain !== '' && (`.${host}`.endsWith(`.${domain}`) || `.${domain}`.endsWith(`.${host}`));
}
