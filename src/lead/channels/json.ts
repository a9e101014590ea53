import { createHmac } from 'node:crypto';
import { jsonPost, judgeStatus, type WebhookFormat } from './webhook-format.ts';

/**
 * Any program, by Standard Webhooks (https://www.standardwebhooks.com): each try has the same id, but its own time and signature.
 * Without a secret there is no signature.
 */
export const json = {
	name: 'json',
	forPrograms: true,
	request: ({ id, receivedAt, event }, { url, secrets }) => {
		const post = jsonPost(url, { type: event.type, timestamp: receivedAt, data: event.data });
		return { ...post, headers: { ...post.headers, ...signedHeaders(id, post.body, secrets) } };
	},
	judge: judgeStatus,
} as const satisfies WebhookFormat;

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
