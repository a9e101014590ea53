import { languagesOf } from '../facts/files.ts';
import { ContentError, endAtMistakes, suggestionFor } from '../facts/mistake.ts';
import { buildSettings } from '../server/settings/environment.ts';
import { checkContent } from './check.ts';
import { RECORD, recordTranslations } from './rules/translations.ts';

// `npm run translated -- de`: records that the texts of these languages, or of all, say what English says now.
await endAtMistakes(() => {
	const [, ...translations] = languagesOf('.');
	const languages = process.argv.length > 2 ? process.argv.slice(2) : translations;
	const { mistakes } = checkContent('.', buildSettings().SITE_URL);
	for (const name of languages)
		if (!translations.includes(name)) mistakes.push(`found the language ${name}, wanted ${suggestionFor(name, translations)}`);
	if (mistakes.length > 0) throw new ContentError(mistakes);
	const changed = recordTranslations('.', languages);
	console.log([...changed, `${RECORD}: texts recorded as translated from the English of today: ${changed.length}.`].join('\n'));
});
