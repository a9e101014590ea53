import { languagesOf } from '../facts/files.ts';
import { ContentError, endAtMistakes, suggestionFor } from '../facts/mistake.ts';
import { buildSettings } from '../server/settings/environment.ts';
import { checkContent } from './check.ts';
import { RECORD, recordTranslations } from './rules/translations.ts';

// `npm run translated -- de`: records that the texts of these languages, or of all, say what English says now.
await endAtMistakes(() => {
	const [, ...translations] = languagesOf('.');
	const languages = process.argv.length > 2 ? process.argv.slice(2) : translations;
	const unknown = languages.filter((language) => !translations.includes(language));
	const { mistakes } = checkContent('.', buildSettings().SITE_URL);
	const found = unknown.map((name) => `found the language ${name}, wanted ${suggestionFor(name, translations)}`);
	if (mistakes.length + found.length > 0) throw new ContentError([...mistakes, ...found]);
	const changed = recordTranslations('.', languages);
	for (const key of changed) console.log(key);
	console.log(`${RECORD}: recorded ${changed.length} texts as translated from the English of today.`);
});
