import '@scalar/api-reference/style.css';
import { config } from 'zod';

// Zod, inside of Scalar, would try whether it may compile code, and our Content Security Policy would report the attempt.
// It tries while Scalar is loaded: hence the import only after this.
config({ jitless: true });
const { createApiReference } = await import('@scalar/api-reference');

const place = document.querySelector<HTMLElement>('#explorer')!;

createApiReference(place, {
	url: place.dataset['openapi']!,
	defaultOpenAllTags: true,
	// Our palette (explorer.css), which follows the system between light and dark.
	theme: 'none',
	hideDarkModeToggle: true,
	// Requests are tried out on this very host, with the key that is for that.
	servers: [{ url: location.origin }],
	authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: place.dataset['testKey']! } } },
	// Nothing may leave our origin: no fonts, telemetry, assistants or proxies.
	withDefaultFonts: false,
	telemetry: false,
	hideClientButton: true,
	showDeveloperTools: 'never',
	agent: { disabled: true },
	mcp: { disabled: true },
	proxyUrl: '',
	documentDownloadType: 'none',
});
