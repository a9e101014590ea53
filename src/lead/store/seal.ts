import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** In bytes: of a key (AES-256), and of the tag that proves a text unchanged (NIST SP 800-38D section 5.2.1.2). */
const KEY = 32;
const TAG = 16;
/** Each key seals one text, so its nonce need not differ from that of another. */
const nonce = Buffer.alloc(12);

/** A text that nobody can read without its key: who deletes the key has deleted every copy of the text. */
export interface Sealed {
	key: Uint8Array;
	text: Uint8Array;
}

/** Seals a text with a key of its own (AES-256-GCM). */
export function seal(text: string): Sealed {
	const key = randomBytes(KEY);
	const cipher = createCipheriv('aes-256-gcm', key, nonce);
	return { key, text: Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]) };
}

/** @returns the text; an empty JSON object where it cannot be unsealed, since one broken row must not keep the others from being read */
export function unseal({ key, text }: Sealed): string {
	try {
		const decipher = createDecipheriv('aes-256-gcm', key, nonce);
		decipher.setAuthTag(text.subarray(-TAG));
		return decipher.update(text.subarray(0, -TAG), undefined, 'utf8') + decipher.final('utf8');
	} catch {
		return '{}';
	}
}
