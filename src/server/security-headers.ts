/** Returns the policy of a page: nothing inline, nothing from elsewhere (Content Security Policy Level 3). @param styles allowed ones */
export const contentSecurityPolicy = (styles = "'self'") =>
	[
		"default-src 'none'",
		`style-src ${styles}`,
		"img-src 'self' data:",
		...['script', 'media', 'font', 'connect', 'manifest'].map((kind) => `${kind}-src 'self'`),
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	].join('; ');

/** Headers that only a page needs: for other files a browser loads nothing, shows no frame and follows no link. */
const pageHeaders = {
	'content-security-policy': contentSecurityPolicy(),
	'cross-origin-opener-policy': 'same-origin',
	'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
	// Not `no-referrer`: Chromium would then post forms with `Origin: null`, and our own form would look foreign.
	'referrer-policy': 'strict-origin-when-cross-origin',
	'x-frame-options': 'DENY',
};

/** Returns the headers of every answer of a media type, errors included. `origin` decides about HSTS (RFC 6797: over https only, and for our own name: those below it are not ours). */
export const securityHeaders = (origin: string, type: string): Record<string, string> => ({
	...(type.startsWith('text/html') ? pageHeaders : {}),
	'cross-origin-resource-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
	...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000' } : {}),
});
