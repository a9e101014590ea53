import styles from '@scalar/api-reference/style.css?url';
import { config } from 'zod';

/** The page's data for its view. */
export interface ExplorerSettings {
	/** The path of the description. */
	openapi: string;
	/** The public test key. */
	testKey: string;
	/** The sentences about authentication. */
	noKeyNeeded: string;
}

/** The settings that do not depend on the page. */
const settings = {
	// The order of the description.
	orderSchemaPropertiesBy: 'preserve',
	orderRequiredPropertiesFirst: false,
	defaultOpenAllTags: true,
	modelsSectionLabel: 'Schemas',
	// Our palette (explorer.css), which follows the system between light and dark.
	theme: 'none',
	hideDarkModeToggle: true,
	// Nothing may leave our origin: no fonts, telemetry, assistants or proxies.
	withDefaultFonts: false,
	telemetry: false,
	hideClientButton: true,
	showDeveloperTools: 'never',
	agent: { disabled: true },
	mcp: { disabled: true },
	proxyUrl: '',
	documentDownloadType: 'none',
} as const;

/** Shows the reference in a place of the page. Resolves once it can be read. */
export async function showExplorer(place: HTMLElement, { openapi, testKey, noKeyNeeded }: ExplorerSettings): Promise<void> {
	const createApiReference = await loadScalar();
	const content = (await (await fetch(openapi)).json()) as Record<string, unknown>;
	const said = { optional: noKeyNeeded, detailsOptional: noKeyNeeded };
	const { promise, resolve } = Promise.withResolvers<unknown>();
	makeRoomForMain();
	createApiReference(place, {
		...settings,
		content,
		onLoaded: resolve,
		localization: { translations: { authentication: said, apiClient: { authSelector: said } } },
		// Requests are tried out on this very host, with the key that is for that.
		servers: [{ url: location.origin }],
		authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: testKey } } },
	});
	await promise;
}

async function loadScalar() {
	await loadStyles();
	// Zod, inside of Scalar, would try whether it may compile code, and our Content Security Policy would report the attempt.
	// It tries while Scalar is loaded: hence the import only after this.
	config({ jitless: true });
	const { createApiReference } = await import('@scalar/api-reference');
	return createApiReference;
}

/** Imported as styles, they would be loaded with the page. */
async function loadStyles(): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const link = Object.assign(document.createElement('link'), {
		rel: 'stylesheet',
		href: styles,
		onload: resolve,
		onerror: reject,
	});
	document.head.append(link);
	await promise;
}

/** Scalar brings a `<main>` of its own, and a page has one. */
function makeRoomForMain(): void {
	const main = document.querySelector('main')!;
	const plain = Object.assign(document.createElement('div'), { id: main.id, tabIndex: main.tabIndex });
	plain.append(...main.childNodes);
	main.replaceWith(plain);
}
