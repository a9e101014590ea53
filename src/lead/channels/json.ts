import { createHmac } from 'node:crypto';
import { jsonPost, judgeStatus, type WebhookFormat } from './webhook-format.ts';

/**
 * Any program, by Standard Webhooks (https://www.standardwebhooks.com): each try has the same id, but its own time and signature.
 * Without a secret there is no signature.
 */
export const json = {
	name: 'json',
	forPrograms: true,
	faultOf: (url) => (credentialsIn(url) === undefined ? BAD_CREDENTIALS : undefined),
	request: ({ id, receivedAt, event }, { url, secrets }) => {
		const address = Object.assign(new URL(url), { username: '', password: '' });
		const post = jsonPost(address, { type: event.type, timestamp: receivedAt, data: event.data });
		return { ...post, headers: { ...post.headers, ...basicHeader(url), ...signedHeaders(id, post.body, secrets) } };
	},
	judge: judgeStatus,
} as const satisfies WebhookFormat;

const BAD_CREDENTIALS =
	'must have user name and password percent-encoded in UTF-8, without control characters and without a colon in the name, for example https://user:pass%25word@hooks.example.com/leads';

/** Returns user name and password as a header joins them (RFC 7617): `:` without both. Undefined if no header can have them. */
function credentialsIn({ username, password }: URL): string | undefined {
	try {
		const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
		return /\p{Cc}/u.test(credentials) || /%3A/i.test(username) ? undefined : credentials;
	} catch {
		return undefined;
	}
}

function basicHeader(url: URL): Record<string, string> {
	const credentials = credentialsIn(url)!;
	return credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function signedHeaders(id: string, body: string, secrets: string[]): Record<string, string> {
	const timestamp = Math.floor(Date.now() / 1000).toString();
	// One for each secret: during a rotation the receiver may know only the old or only the new one.
	const signatures = secrets.map((secret) => `v1,${signatureOf(`${id}.${timestamp}.${body}`, secret)}`);
	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
	};
}

function signatureOf(content: string, secret: string): string {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	return createHmac('sha256', key).update(content).digest('base64');
}
