import { checkContent } from '../src/content-check/check.ts';
import { ContentError, endAtMistakes } from '../src/facts/mistake.ts';
import { buildSettings } from '../src/server/settings/environment.ts';

/** Checks what editors write, as a build does first, in half a second. */
await endAtMistakes(() => {
	const { mistakes, untranslated } = checkContent(process.cwd(), buildSettings().SITE_URL);
	if (mistakes.length + untranslated.length > 0) throw new ContentError([...mistakes, ...untranslated]);
});
