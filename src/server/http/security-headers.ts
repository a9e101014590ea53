const contentSecurityPolicy = {
	'default-src': "'none'",
	'script-src': "'self'",
	'style-src': "'self'",
	'img-src': "'self' data:",
	'media-src': "'self'",
	'font-src': "'self'",
	'connect-src': "'self'",
	'manifest-src': "'self'",
	'form-action': "'self'",
	'base-uri': "'none'",
	'frame-ancestors': "'none'",
};

/** Returns the policy of every page: nothing inline, nothing from elsewhere (Content Security Policy Level 3). */
export function cspWith(overrides: Partial<typeof contentSecurityPolicy> = {}): string {
	return Object.entries({ ...contentSecurityPolicy, ...overrides })
		.map(([directive, sources]) => `${directive} ${sources}`)
		.join('; ');
}

/** Headers that only a page needs: for other files a browser loads nothing, shows no frame and follows no link. */
const pageHeaders = {
	'content-security-policy': cspWith(),
	'cross-origin-opener-policy': 'same-origin',
	'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
	// Not `no-referrer`: Chromium would then post forms with `Origin: null`, and our own form would look foreign.
	'referrer-policy': 'strict-origin-when-cross-origin',
	'x-frame-options': 'DENY',
};

/** Returns the headers of every answer of a media type, errors included. `origin` decides about HSTS (RFC 6797: over https only). */
export const securityHeaders = (origin: string, type: string): Record<string, string> => ({
	...(isHtml(type) ? pageHeaders : {}),
	'cross-origin-resource-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
	...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
});

export const isHtml = (type: string) => type.startsWith('text/html');
