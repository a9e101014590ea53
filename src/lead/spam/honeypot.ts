import type { Signal } from './signal.ts';

/** The field that people do not see was filled. The intake holds such a lead unjudged: no signal looks at it, not even this one. */
export const honeypot: Signal = {
	name: 'honeypot',
	reason: {
		en: 'It filled a field that people do not see, as spam does and some password managers do.',
		de: 'Ein Feld, das Menschen nicht sehen, war ausgefüllt: von Spam oder von einem Passwortmanager.',
		es: 'Se rellenó un campo que las personas no ven: lo hace el spam, y también algunos gestores de contraseñas.',
		fr: 'Un champ invisible pour les personnes a été rempli, par du spam ou par un gestionnaire de mots de passe.',
		pt: 'Foi preenchido um campo que as pessoas não veem, como fazem o spam e alguns gerenciadores de senhas.',
		ar: 'مُلئ حقل لا يراه الناس، كما يفعل البريد المزعج وبعض برامج إدارة كلمات المرور.',
	},
	look: ({ lead: { website } }) => (website ? 'certain' : false),
	cases: [
		[{ website: 'https://buy.example' }, 'certain'],
		[{ website: '' }, false],
	],
};
