/** Decides by script (ISO 15924). `Intl.Locale` knows directions too, but not on every Node that may serve the form. */
export function isRightToLeft(language: string): boolean {
	return ['Arab', 'Hebr', 'Thaa'].includes(new Intl.Locale(language).maximize().script ?? '');
}
