import { languagesOf } from '../facts/files.ts';
import { ContentError, endAtMistakes } from '../facts/mistake.ts';
import { buildSettings } from '../server/settings/environment.ts';
import { checkContent } from './check.ts';
import { RECORD, recordTranslations } from './rules/translations.ts';

// `npm run translated -- de`, or `-- de/home.mdx`: records that the texts of these languages or files, or all, say what English says now.
await endAtMistakes(() => {
	const { mistakes } = checkContent('.', buildSettings().SITE_URL);
	if (mistakes.length > 0) throw new ContentError(mistakes);
	const changed = recordTranslations('.', process.argv.length > 2 ? process.argv.slice(2) : languagesOf('.').slice(1));
	console.log([...changed, `${RECORD}: texts recorded as translated from the English of today: ${changed.length}.`].join('\n'));
});
