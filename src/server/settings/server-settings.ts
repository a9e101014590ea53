import * as z from 'zod';
import { isPrivateAddress } from '../../http/network.ts';
import { DELIVERY_TIMEOUT } from '../../lead/intake/delivering-intake.ts';
import { durationOrNone, LONGEST_TIMER } from '../../values/time.ts';
import { amount, mustBe, valueFrom } from '../../values/value.ts';
import { storeVariable } from './lead-settings.ts';
import { group, host, port } from './setting-values.ts';

const isPrivate = (host: string) => host === 'localhost' || isPrivateAddress(host);

/** An address that only this machine or a private network can reach: `127.0.0.1:9464`, `[::1]:9464`. */
const privateAddress = valueFrom(
	(text) => isPrivate(parts(text).host) && parts(text).port <= 65_535,
	parts,
	mustBe('an address of this machine or of a private network, with a port', '127.0.0.1:9464'),
);

function parts(text: string): { host: string; port: number } {
	const [, bracketed, bare, port] = /^(?:\[([\da-f:.]+)\]|([\w.]+)):(\d{1,5})$/i.exec(text) ?? [];
	return { host: bracketed ?? bare ?? '', port: Number(port) };
}

/** Where the server listens, how long and how much a client may keep it busy, and what it logs. */
export const serverSettings = group(
	{
		HOST: host.default('localhost'),
		PORT: port.prefault('4321'),
		METRICS_ADDRESS: privateAddress.optional(),
		TRUST_PROXY: z.string().regex(/^\d$/, mustBe('how many proxies stand in front', '1')).default('0').transform(Number),
		FUNCTION_SECRET: z
			.string()
			.regex(/^[\w-]{32,}$/, mustBe('32 or more letters and digits', 'what `openssl rand -hex 32` prints'))
			.optional(),
		HEADERS_TIMEOUT: durationOrNone(LONGEST_TIMER, '10s').prefault('10s'),
		REQUEST_TIMEOUT: durationOrNone(LONGEST_TIMER, '30s').prefault('30s'),
		KEEP_ALIVE_TIMEOUT: durationOrNone(LONGEST_TIMER, '65s').prefault('65s'),
		IDLE_TIMEOUT: durationOrNone(LONGEST_TIMER, '30s').prefault('30s'),
		MAX_CONNECTIONS: amount('a number of connections', '10000').prefault('10000'),
		LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], mustBe('debug, info, warn or error', 'info')).default('info'),
		...storeVariable,
	},
	({ HEADERS_TIMEOUT: headers, REQUEST_TIMEOUT: request, IDLE_TIMEOUT: idle, LEAD_STORE: store }) => {
		const beyond = request > 0 && headers > request;
		const impatient = store.kind === 'none' && idle > 0 && idle <= DELIVERY_TIMEOUT / 1000;
		const least = `more than ${DELIVERY_TIMEOUT / 1000}s where LEAD_STORE is none`;
		return [
			beyond && ['HEADERS_TIMEOUT', 'must be at most REQUEST_TIMEOUT, which headers are a part of, for example 10s'],
			impatient && ['IDLE_TIMEOUT', `must be ${least}: nothing moves while a lead is delivered, for example 30s`],
		];
	},
	(values) => ({
		host: values.HOST,
		/** 0 lets the system choose. */
		port: values.PORT,
		/** Where metrics are served. Undefined: nowhere. */
		metrics: values.METRICS_ADDRESS,
		/** The number of proxies in front of us that append to `X-Forwarded-For`. */
		trustProxy: values.TRUST_PROXY,
		/** The secret that a request to a function must have in `X-Function-Secret`. Undefined: none is needed. */
		functionSecret: values.FUNCTION_SECRET,
		/** Limits of a connection. Times are in seconds; 0: no limit. */
		limits: {
			headers: values.HEADERS_TIMEOUT,
			request: values.REQUEST_TIMEOUT,
			keepAlive: values.KEEP_ALIVE_TIMEOUT,
			idle: values.IDLE_TIMEOUT,
			connections: values.MAX_CONNECTIONS,
		},
		logLevel: values.LOG_LEVEL,
	}),
);
