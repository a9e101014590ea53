import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** In bits. Receivers take no shorter one for a signature (RFC 8301 section 3.2). */
const SHORTEST = 1024;

/**
 * A private key for DKIM: PEM, or the path of a file with it. In an environment variable `\n` may stand for a line end.
 * It is looked at closely: with one that cannot sign, mail would go out unsigned, and nobody would notice.
 */
export const dkimKey = z.string().transform((value, context) => {
	const refuse = (why: string) => {
		context.addIssue(`${why}. It must be an RSA key in PEM or the path of a file with one, as \`openssl genrsa 2048\` makes it`);
		return z.NEVER;
	};
	const isPem = value.trimStart().startsWith('-----BEGIN');
	const pem = isPem ? value.replaceAll('\\n', '\n') : contentOf(value);
	if (pem === undefined) return refuse('names a file that cannot be read');
	const key = keyIn(pem);
	if (key?.asymmetricKeyType !== 'rsa') return refuse('holds no RSA key without a passphrase');
	const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
	if (bits < SHORTEST) return refuse(`holds a key of ${bits} bits, and receivers ignore less than ${SHORTEST}`);
	return pem;
});

function contentOf(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
}

function keyIn(pem: string): KeyObject | undefined {
	try {
		return createPrivateKey(pem);
	} catch {
		return undefined;
	}
}
