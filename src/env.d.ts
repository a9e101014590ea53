/// <reference types="astro/client" />

declare namespace App {
	interface Locals {
		/** How the form's page is to be answered, where the production server has decided it already. */
		answer?: import('./lead/contact.ts').PageAnswer;
	}
}
