const domains = `gmail.com googlemail.com ymail.com rocketmail.com email.com icloud.com me.com mac.com web.de t-online.de freenet.de mail.com mail.de email.de posteo.de posteo.net mailbox.org firemail.de
	proton.me pm.me passmail.net tuta.com tuta.io fastmail.com fastmail.fm hey.com zohomail.com duck.com mozmail.com aleeas.com slmails.com
	simplelogin.com anonaddy.me 33mail.com spamgourmet.com disroot.org riseup.net wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr
	mailo.com ik.me libero.it virgilio.it tiscali.it alice.it tin.it telefonica.net ozu.es sapo.pt clix.pt netcabo.pt uol.com.br bol.com.br
	terra.com.br ig.com.br globo.com bluewin.ch hispeed.ch aon.at chello.at ziggo.nl kpnmail.nl planet.nl home.nl telenet.be skynet.be
	btinternet.com sky.com talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk comcast.net att.net verizon.net sbcglobal.net cox.net
	bellsouth.net charter.net rogers.com shaw.ca bell.net bigpond.com optusnet.com.au xtra.co.nz mail.ru inbox.ru bk.ru list.ru qq.com 163.com
	126.com sina.com rediffmail.com naver.com daum.net eim.ae emirates.net.ae vodafone.de arcor.de online.de kabelmail.de club-internet.fr
	iol.it inwind.it xs4all.nl hetnet.nl proximus.be scarlet.be sunrise.ch wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz freemail.hu abv.bg
	ukr.net rambler.ru hanmail.net nate.com foxmail.com 139.com yeah.net earthlink.net optonline.net telus.net sympatico.ca videotron.ca`;
/** Domains where strangers have mailboxes: there, only the whole address tells people apart. */
const providers = new Set(domains.split(/\s+/));

/** Providers with domains in many countries, such as `yahoo.com.br`. */
const families = 'outlook hotmail live msn yahoo aol gmx zoho protonmail tutanota orange yandex'.split(' ');
const family = new RegExp(`^(?:${families.join('|')})\\.[a-z.]{2,6}$`);

/** Returns whether strangers have mailboxes at a domain, in lower case. A mistyped domain of a family counts too. */
export const isProvider = (domain: string): boolean => providers.has(domain) || family.test(domain);

/** Matches what a family's domain may end with. Nobody has one of Colombia (`co`), Cameroon or Oman: it is a mistyped `com`. */
const ending = /^(?:com|net|org|(?!c[om]$|om$)[a-z]{2}|com?\.[a-z]{2})$/;

/** Shorter domains are one letter from those of firms. */
const SHORTEST = 9;

/** Returns the address that is probably meant: its domain is one letter from a provider's, or ends like `.con`. A provider's own is right. */
export function meantAddress(address: string): string | undefined {
	const at = address.lastIndexOf('@') + 1;
	const typed = address.slice(at).toLowerCase();
	const domain = typed.replace(/\.(?:con|cmo|cim)$/, '.com');
	const rest = domain.slice(domain.indexOf('.') + 1);
	const endings = ending.test(rest) ? ['com', rest] : ['com'];
	const known = [...providers, ...families.flatMap((name) => endings.map((end) => `${name}.${end}`))];
	const near = known.find((other) => other.length >= SHORTEST && areOneLetterApart(domain, other));
	const meant = known.includes(domain) ? domain : (near ?? domain);
	return meant === typed ? undefined : address.slice(0, at) + meant;
}

/** Returns whether two different words differ by one letter: another, one more, one less, or two that changed places. */
function areOneLetterApart(one: string, other: string): boolean {
	let same = 0;
	while (same < one.length && one[same] === other[same]) same += 1;
	const [left, right] = [one.slice(same), other.slice(same)];
	const swapped = left.slice(1, 2) + left.slice(0, 1) + left.slice(2);
	return [left, left.slice(1)].includes(right.slice(1)) || [left.slice(1), swapped].includes(right);
}
