/// <reference types="astro/client" />

interface ImportMetaEnv {
	readonly VERSION: string;
	readonly BUILT_ON: string;
}

declare namespace App {
	interface Locals {
		/** The page's, one of the site's languages (BCP 47). */
		language: string;
		/** How a page is to be answered, where the production server has decided it already. */
		answer?: import('./api/answer.ts').PageAnswer<
			import('./api/submit.ts').FormState | import('./api/lead-action.ts').ActionState
		>;
	}
}

declare module '*/service.yaml' {
	const service: import('./facts/schema.ts').Service;
	export default service;
}

declare module '*/palette.yaml' {
	const palette: import('./facts/palette.ts').Palette;
	export default palette;
}
