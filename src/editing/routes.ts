import { filesIn } from './files.ts';

/** The files of `src/pages` with one address each: those with brackets in it stand for many. */
export const fixedRoutes = (root: string): { file: string; path: string }[] =>
	filesIn(root, ROUTES)
		.filter((file) => !file.includes('['))
		.map((file) => ({ file, path: file.slice(ROUTES.length).replace(/(\/index)?\.\w+$/, '') || '/' }));

const ROUTES = 'src/pages';
