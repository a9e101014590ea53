import * as z from 'zod';
import { isPrivateAddress } from '../../http/network.ts';
import { mustBe, valueFrom } from '../../values/value.ts';
import { host, port } from './setting-values.ts';

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

/** Where the server listens, what stands in front of it, and what it logs. */
export const serverSettings = z
	.object({
		HOST: host.default('localhost'),
		PORT: port.prefault('4321'),
		METRICS_ADDRESS: privateAddress.optional(),
		TRUST_PROXY: z.string().regex(/^\d$/, mustBe('how many proxies stand in front', '1')).default('0').transform(Number),
		FUNCTION_SECRET: z
			.string()
			.regex(/^[\w-]{32,}$/, mustBe('32 or more letters and digits', 'what `openssl rand -hex 32` prints'))
			.optional(),
		LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], mustBe('debug, info, warn or error', 'info')).default('info'),
	})
	.transform((values) => ({
		host: values.HOST,
		/** 0 lets the system choose. */
		port: values.PORT,
		/** Where metrics are served. Undefined: nowhere. */
		metrics: values.METRICS_ADDRESS,
		/** The number of proxies in front of us that append to `X-Forwarded-For`. */
		trustProxy: values.TRUST_PROXY,
		/** The secret that a request to a function must have in `X-Function-Secret`. Undefined: none is needed. */
		functionSecret: values.FUNCTION_SECRET,
		logLevel: values.LOG_LEVEL,
	}));
