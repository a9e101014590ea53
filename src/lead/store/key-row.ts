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
type Content = Pick<ApiKey, 'owner' | 'sender' | 'scopes' | 'limit' | 'life' | 'broken'>;

export const contentOf = ({ owner, sender, scopes, limit, life }: Content): string =>
	JSON.stringify({ owner, sender, scopes, limit, life });

export function keyFrom({ content, made_at, ends_at, last_used, ...row }: KeyRow): ProvenApiKey {
	return { ...row, ...readContent(content), madeAt: made_at, endsAt: ends_at, lastUsed: last_used };
}

/** One broken row must not keep the others from being read, nor a lead from being delivered that came with its key. */
function readContent(text: string): Content {
	try {
		const content = JSON.parse(text) as Content | object;
		return 'owner' in content ? content : unreadable;
	} catch {
		return unreadable;
	}
}

const unreadable: Content = {
	broken: true,
	owner: { name: 'an unknown owner', email: 'unreadable' },
	sender: '',
	scopes: [],
	limit: { limit: 0, window: 1 },
	life: 0,
};
