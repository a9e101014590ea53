import styles from '@scalar/api-reference/style.css?url';
import { config } from 'zod';
import type { OpenApi, Operation } from '../../discovery/openapi.ts';

export interface ExplorerSettings {
	openapi: string;
	testKey: string;
	/** The sentences about authentication. */
	noKeyNeeded: string;
}

const settings = {
	orderSchemaPropertiesBy: 'preserve',
	orderRequiredPropertiesFirst: false,
	defaultOpenAllTags: true,
	modelsSectionLabel: 'Schemas',
	// Our palette (explorer.css), which follows the system between light and dark.
	theme: 'none',
	hideDarkModeToggle: true,
	// The page has a navigation.
	showSidebar: false,
	hideSearch: true,
	// Sends nothing to other origins: no fonts, telemetry, assistants or proxies.
	withDefaultFonts: false,
	telemetry: false,
	hideClientButton: true,
	showDeveloperTools: 'never',
	agent: { disabled: true },
	mcp: { disabled: true },
	proxyUrl: '',
	documentDownloadType: 'none',
} as const;

/** Shows the reference in an element of the page. Resolves once people can read it. */
export async function showExplorer(place: HTMLElement, { openapi, testKey, noKeyNeeded }: ExplorerSettings): Promise<void> {
	await loadStyles();
	// Zod inside Scalar tries whether it may compile code, and our Content Security Policy would report the attempt.
	// It tries while Scalar loads, so the import comes after this.
	config({ jitless: true });
	const { createApiReference } = await import('@scalar/api-reference');
	const response = await fetch(openapi);
	if (!response.ok) throw new Error(`${openapi}: ${response.status}`);
	const content = (await response.json()) as OpenApi;
	// Scalar puts the first of the credentials into samples: in reverse order, that is the test key and not “none”.
	for (const { security } of Object.values(content.paths).flatMap(Object.values<Operation>)) security.reverse();
	const said = { optional: noKeyNeeded, detailsOptional: noKeyNeeded };
	const { promise, resolve } = Promise.withResolvers<unknown>();
	makeRoomForMain();
	createApiReference(place, {
		...settings,
		content,
		onLoaded: resolve,
		localization: { translations: { authentication: said, apiClient: { authSelector: said } } },
		// Sends trial requests to this very host, with the public test key.
		servers: [{ url: location.origin }],
		authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: testKey } } },
	});
	await promise;
}

/** Adds a link to the styles: the page would load imported styles at once. */
async function loadStyles(): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const properties = { rel: 'stylesheet', href: styles, onload: resolve, onerror: reject };
	document.head.append(Object.assign(document.createElement('link'), properties));
	await promise;
}

/** Replaces our `<main>`: Scalar brings its own, and a page may have only one. */
function makeRoomForMain(): void {
	const main = document.querySelector('main')!;
	const plain = Object.assign(document.createElement('div'), { id: main.id, tabIndex: main.tabIndex });
	plain.append(...main.childNodes);
	main.replaceWith(plain);
}
