import type { Signal } from './signal.ts';

/** The clinic is the name of a search engine or social network: robots write it into each field that they do not know. */
export const filler: Signal = {
	name: 'filler',
	reason: {
		en: 'The clinic is the name of a search engine or network, as robots fill it in.',
		de: 'Als Praxis ist eine Suchmaschine oder ein Netzwerk angegeben, wie es Bots tun.',
		es: 'Como clínica figura el nombre de un buscador o de una red social, como lo ponen los robots.',
		fr: 'Le cabinet porte le nom d’un moteur de recherche ou d’un réseau social, comme l’écrivent les robots.',
		pt: 'No lugar da clínica está o nome de um buscador ou de uma rede social, como os robôs escrevem.',
		ar: 'كُتب اسم محرك بحث أو شبكة اجتماعية مكان اسم العيادة، كما تفعل الروبوتات.',
	},
	look: ({ lead: { clinic = '' } }) =>
		clinic === '' ? undefined : /^\s{0,9}(?:google|yahoo|bing|yandex|baidu|facebook)\s{0,9}$/i.test(clinic) && 'weak',
	cases: [
		[{ name: 'OliverClupe', clinic: 'google' }, 'weak'],
		[{ clinic: 'Google Street Dental' }, false],
		[{ name: 'google' }, undefined],
	],
};
