import type { Source } from './source.ts';

/** `/.well-known/jwks.json` (RFC 7517 section 5): public keys only, and none while OAuth is planned. */
export const jwks = ({ service: { oauth } }: Source) => ({ keys: oauth.state === 'live' ? oauth.keys : [] });
