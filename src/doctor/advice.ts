/** Advice where other bytes come than the build made. */
export const DEPLOY = 'Deploy all of the build that this program lies in, and let no cache keep what was there before.';

/** Advice where other headers come than the build declares. */
export const HEADERS = 'Let the host send what the build declares: src/hosts/README.md says in which file that is for yours.';

/** Advice where an answer of the API is not ours. */
export const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';
