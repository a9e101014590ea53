import { Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { TestProcess } from './process.ts';

/**
 * Watches every test file: no line of a server's log may hold a value that the tests sent over HTTP, with any client, or set for
 * a server. Runs before each file.
 */

/** The bytes that each connection of this process has sent. */
const traffic = new Map<Socket, string>();

for (const method of ['write', 'end'] as const) {
	const original = Socket.prototype[method] as (this: Socket, ...args: unknown[]) => never;
	Socket.prototype[method] = function (this: Socket, ...args: unknown[]) {
		const [chunk] = args;
		const text = typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : '';
		const before = traffic.get(this) ?? '';
		if (before || /^[A-Z]+ \S+ HTTP\//.test(text)) traffic.set(this, before + text);
		return original.apply(this, args);
	};
}

afterAll(() => {
	const secrets = new Set(
		[...traffic.values()].flatMap(valuesSent).concat(TestProcess.started.flatMap(valuesSet)).filter(isTelling),
	);
	const logged = new Set(TestProcess.started.flatMap(({ log }) => log).flatMap(textsIn));
	const isTold = (text: string) => [...secrets].some((secret) => text.includes(secret));
	const told = [...logged].filter((text) => (isUnique(text) ? secrets.has(text) : isTold(text)));
	expect(told, 'texts in the log of a server that hold what was sent or set').toEqual([]);
});

/** Returns the members of JSON, the fields of forms, and the headers that identify somebody. */
function valuesSent(sent: string): string[] {
	const members = [...sent.matchAll(/"\s*:\s*("(?:[^"\\\n]|\\.)*")/g)].map(([, json]) => parsed(json!));
	const fields = [...sent.matchAll(/(?:^|&)(?:name|clinic|email|phone|country|message|website|source)=([^&\s]*)/gm)];
	const headers = [...sent.matchAll(/^(?:idempotency-key|x-forwarded-for|forwarded|authorization|cookie): *(.*?)\r?$/gim)];
	const unescaped = fields.map(([, value]) => new URLSearchParams(`value=${value}`).get('value')!);
	return [...members, ...unescaped, ...headers.map(([, value]) => value!)];
}

function parsed(json: string): string {
	try {
		return JSON.parse(json) as string;
	} catch {
		return json;
	}
}

/** Returns addresses, and for URLs the whole URL, the password and the path. */
const valuesSet = ({ env }: TestProcess): string[] =>
	['SMTP_URL', 'LEAD_EMAIL_TO', 'LEAD_EMAIL_ROUTES', 'LEAD_EMAIL_FROM', 'LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET']
		.flatMap((name) => env[name]?.split(/[\s,]+/) ?? [])
		.flatMap((value) => {
			const { password, pathname } = URL.canParse(value) ? new URL(value) : { password: '', pathname: '' };
			return [value, value.replace(/^.*=.*:/, ''), password, pathname];
		});

/** Short values may appear by chance. Our own paths, their words, and this machine are no secret. */
const isTelling = (value: string) =>
	value.length > 5 && !/^(\/(api|contact|docs)\b.*|api-access|127\.0\.0\.1|localhost)$/.test(value);

/** Returns whether a text is an id or a time: each line has one, and they hold nothing. */
const isUnique = (text: string) => /^([\da-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]*Z)$/.test(text);

/** Returns every text in a line of a log. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.entries((value ?? {}) as object).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
