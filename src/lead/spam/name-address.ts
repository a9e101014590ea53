import type { Fields, Signal } from './signal.ts';
import { splitWords } from './spelling.ts';
import { isAtDomainOf, type WebAddress, webAddressesIn } from './web-address.ts';

/**
 * A link or markup in place of a name. A link to the sender's mail domain does not count, nor does one that is spelt like the sender
 * or the clinic: people name their clinic this way. Brackets without a known tag are typography.
 */
export const nameAddress: Signal = {
	name: 'name-address',
	reason: {
		en: 'The name or the clinic holds a web address or markup.',
		de: 'Name oder Praxis enthält eine Webadresse oder HTML-Code.',
		es: 'El nombre o la clínica contiene una dirección web o código.',
		fr: 'Le nom ou le cabinet contient une adresse web ou des balises.',
		pt: 'O nome ou a clínica contém um endereço web ou código.',
		ar: 'في الاسم أو العيادة عنوان ويب أو ترميز.',
	},
	look({ lead }) {
		const [name, clinic] = [lead.name, lead.clinic].map((text = '') => text.slice(0, 500)) as [string, string];
		if (name + clinic === '') return undefined;
		// A bare host may be a brand: `CNET News.com`.
		const found = [name, clinic].flatMap(webAddressesIn).filter(({ isExplicit, path }) => isExplicit || path !== '');
		const foreign = found.filter((address) => !isOwn(address, { ...lead, name, clinic }));
		return (markup.test(name) || markup.test(clinic) || foreign.length > 0) && 'strong';
	},
	cases: [
		[{ name: 'You have won 1.3 BTC https://win.example/claim', clinic: 'x' }, 'strong'],
		[{ name: '<a href="https://win.example">Win</a>', clinic: 'x' }, 'strong'],
		[{ name: 'Ana', clinic: '[url=https://win.example]Win[/url]' }, 'strong'],
		[{ name: 'Collect here: bit.ly/3xYzAb', clinic: 'Clinic' }, 'strong'],
		[{ name: 'Casino bonus https://casino.example', clinic: 'https://casino.example', email: 'a@gmail.com' }, 'strong'],
		[{ name: 'https://win.example/claim', clinic: 'x', email: 'a@win.example' }, 'strong'],
		[{ name: 'Praxisteam <Nord>', clinic: 'Espace [B] <B>' }, false],
		[{ name: 'Dr. Wiebke Harms', clinic: 'https://www.praxis-harms.de/de/', email: 'a@gmail.com' }, false],
		[{ name: 'Dr. Wiebke Harms', clinic: 'https://www.praxis-harms.de/de/x', email: 'a@gmail.com' }, 'strong'],
		[{ name: 'Abc Dental', clinic: 'https://abc.example' }, false],
		[{ name: 'Ab Dental', clinic: 'https://ab.example' }, 'strong'],
		[{ name: 'Mara Roth', clinic: 'https://mara-dental.example' }, false],
		[{ name: 'Ana Roth', clinic: 'https://ana-dental.example' }, 'strong'],
		[{ name: 'Ana Ruiz', clinic: 'smile.dental' }, false],
		[{ name: 'Dr. Schmidt (www.zahnarzt-schmidt.de)', clinic: 'x', email: 'info@mail.zahnarzt-schmidt.de' }, false],
		[{ name: 'Jo Li', clinic: 'Smile Dental – https://www.smile-dental.com', email: 'jo@gmail.com' }, false],
	],
};

/** A tag with attributes, one that links or runs something, or one that is closed. */
const markup =
	/<(?:[a-z]{1,10}\s[^<>]{0,200}=|(?:br|img|script|iframe|h[1-6])[\s/>])|<\/[a-z][a-z\d]{0,9}\s*>|\[(?:url|link|img|email)[=\]]|\[\/[a-z]{1,6}\]/i;

/** Returns whether a web address in the name or the clinic is the sender's: by the mail domain, or by its spelling. */
function isOwn(address: WebAddress, { email, name = '', clinic = '' }: Fields): boolean {
	const { host, path } = address;
	// At most a language behind it: `/de/`.
	const isHome = path.length <= 4;
	const isInName = name.toLowerCase().includes(host);
	if (isAtDomainOf(address, email)) return isHome || !isInName;
	const labels = splitWords(host.slice(0, host.lastIndexOf('.'))).join('');
	if (!isHome || labels.length < 3 || isInName) return false;
	const words = splitWords(`${name} ${clinic}`.toLowerCase().replaceAll(host, ' '));
	return words.join('').includes(labels) || words.some((word) => word.length > 3 && labels.includes(word));
}
