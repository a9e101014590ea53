import { checkContent } from '../src/content-check/check.ts';
import { ContentError, endAtMistakes } from '../src/facts/mistake.ts';
import { buildSettings } from '../src/server/settings/environment.ts';

/** Checks what editors write, as a build does first, in half a second, and that no translation is older than its English. */
await endAtMistakes(() => {
	const { mistakes, untranslated, outdated } = checkContent(process.cwd(), buildSettings().SITE_URL);
	const messages = [...mistakes, ...untranslated, ...outdated];
	if (messages.length > 0) throw new ContentError(messages);
});
