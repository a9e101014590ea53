import type { APIRoute } from 'astro';
import { documentAnswer, documents } from '../discovery/documents.ts';
import type { Document } from '../discovery/source.ts';
import { publishedPages } from '../site/pages.ts';
import { toResponse } from '../api/answer.ts';
import { builtOn, facts, links, origin, service } from '../facts/load.ts';

export const getStaticPaths = () =>
	documents.map((document) => ({ params: { document: document.path.slice(1) }, props: { document } }));

export const GET: APIRoute<{ document: Document }> = async ({ props }) => {
	const source = { service, facts, origin, links, documents, pages: await publishedPages(), builtOn };
	return toResponse(documentAnswer(props.document, source));
};
