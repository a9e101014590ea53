import type { ApiKey, ProvenApiKey } from './key-store.ts';

/** An API key as both databases give it. */
export interface KeyRow {
	id: string;
	hash: string;
	/** Of {@link contentOf}. */
	content: string;
	test: boolean;
	made_at: number;
	ends_at: number;
	revoked: boolean;
	last_used: string | null;
	leads: number;
}

/** What is kept of a key in one piece, as JSON: nothing is looked for by it. */
type Content = Pick<ApiKey, 'owner' | 'sender' | 'scopes' | 'limit' | 'life'>;

export const contentOf = ({ owner, sender, scopes, limit, life }: Content): string =>
	JSON.stringify({ owner, sender, scopes, limit, life });

export function keyFrom({ content, made_at, ends_at, last_used, ...row }: KeyRow): ProvenApiKey {
	return { ...row, ...(JSON.parse(content) as Content), madeAt: made_at, endsAt: ends_at, lastUsed: last_used };
}
