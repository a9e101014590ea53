import type { Fields, Signal } from './signal.ts';
import { isOf, type WebAddress, webAddressesIn } from './web-address.ts';

/** A link or markup where a name belongs. A clinic may be named by its own address. */
export const nameAddress: Signal = {
	name: 'name-address',
	reason: {
		en: 'The name or the clinic holds a web address or markup.',
		de: 'Name oder Praxis enthält eine Webadresse oder Auszeichnung.',
		es: 'El nombre o la clínica contiene una dirección web o código.',
		fr: 'Le nom ou le cabinet contient une adresse web ou du balisage.',
		pt: 'O nome ou a clínica contém um endereço web ou código.',
		ar: 'في الاسم أو العيادة عنوان ويب أو ترميز.',
	},
	look({ lead }) {
		const { name = '', clinic = '' } = lead;
		if (name + clinic === '') return undefined;
		const foreign = [name, clinic].flatMap((text) => webAddressesIn(text)).filter((address) => !isOwn(address, lead));
		return (markup.test(name) || markup.test(clinic) || foreign.length > 0) && 'strong';
	},
	cases: [
		[{ name: 'You have won 1.3 BTC https://win.example/claim', clinic: 'x' }, 'strong'],
		[{ name: '<a href="https://win.example">Win</a>', clinic: 'x' }, 'strong'],
		[{ name: 'Ana', clinic: '[url=https://win.example]Win[/url]' }, 'strong'],
		[{ name: 'Collect here: bit.ly/3xYzAb', clinic: 'Clinic' }, 'strong'],
		[{ name: 'Ana Ruiz', clinic: 'smile.dental' }, false],
		[{ name: 'Dr. Schmidt (www.zahnarzt-schmidt.de)', clinic: 'x', email: 'info@zahnarzt-schmidt.de' }, false],
		[{ name: 'Jo Li', clinic: 'Smile Dental – https://www.smile-dental.com', email: 'jo@gmail.com' }, false],
	],
};

const markup = /<\/?[a-z][^<>]*>|\[\/?(?:url|link|b|img)\b[^[\]]*\]/i;

/** Returns whether an address is the sender's own: of their mail domain, or a bare host or start page that the clinic is named for. */
function isOwn(address: WebAddress, { email, name = '', clinic = '' }: Fields): boolean {
	if (isOf(address, email)) return true;
	const { host, path, linked } = address;
	if (path.length > 4) return false;
	const isClinic = clinic.toLowerCase().includes(host);
	const rest = lettersOf(`${name} ${clinic}`.toLowerCase().replaceAll(host, ' '));
	const labels = lettersOf(host.slice(0, host.lastIndexOf('.')));
	return (
		(isClinic && !linked) ||
		(labels.length > 3 && words(clinic, host).some((word) => labels.includes(word))) ||
		rest.includes(labels)
	);
}

const lettersOf = (text: string) =>
	text
		.normalize('NFD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.replaceAll('ß', 'ss');

const words = (clinic: string, host: string) =>
	(
		clinic
			.toLowerCase()
			.replaceAll(host, ' ')
			.match(/\p{L}{4,}/gu) ?? []
	)
		.filter((word) => word !== 'https' && word !== 'http')
		.map(lettersOf);
