/** What to do where other bytes come than were built. */
export const DEPLOY = 'Deploy all of the build that this program lies in, and let no cache keep what was there before.';

/** What to do where other headers come than were declared. */
export const HEADERS =
	'Let the host send what the build declares: src/adapter/hosts/README.md says in which file that is for yours.';

/** What to do where an answer of the API is not ours. */
export const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';
