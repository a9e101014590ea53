/// <reference types="astro/client" />

interface ImportMetaEnv {
	readonly VERSION: string;
	readonly BUILT_ON: string;
}

declare namespace App {
	interface Locals {
		/** How the form's page is to be answered, where the production server has decided it already. */
		answer?: import('./api/submit.ts').PageAnswer;
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
