import type { APIRoute, GetStaticPaths } from 'astro';
import { publishedPages } from '../../discovery/pages.ts';
import type { Page } from '../../discovery/source.ts';
import { cardPath } from '../../facts/links.ts';
import { card } from '../../site/images/card.ts';

export const getStaticPaths = (async () =>
	(await publishedPages()).map((page) => ({
		params: { page: cardPath(page.path).replace(/^\/cards\/|\.png$/g, '') },
		props: { page },
	}))) satisfies GetStaticPaths;

/** Other sites may show the image: that is its purpose. */
const headers = { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' };

export const GET: APIRoute<{ page: Page }> = async ({ props }) => new Response(await card(props.page), { headers });
