import type { Signal } from './signal.ts';

/** The name of a search engine or network as the clinic: robots write it into each field that they do not know. */
export const filler: Signal = {
	name: 'filler',
	reason: {
		en: 'The clinic is the name of a search engine, as robots fill it in.',
		de: 'Als Praxis steht der Name einer Suchmaschine, wie Robots ihn eintragen.',
		es: 'La clínica es el nombre de un buscador, como la rellenan los robots.',
		fr: 'Le cabinet est le nom d’un moteur de recherche, comme le remplissent les robots.',
		pt: 'A clínica é o nome de um motor de busca, como a preenchem os robôs.',
		ar: 'كُتب اسم محرك بحث مكان العيادة كما تفعل الروبوتات.',
	},
	look: ({ lead: { clinic = '' } }) =>
		clinic === '' ? undefined : /^\s{0,9}(?:google|yahoo|bing|yandex|baidu|facebook)\s{0,9}$/i.test(clinic) && 'weak',
	cases: [
		[{ name: 'OliverClupe', clinic: 'google' }, 'weak'],
		[{ clinic: 'Google Street Dental' }, false],
		[{ name: 'google' }, undefined],
	],
};
