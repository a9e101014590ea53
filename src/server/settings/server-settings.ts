import * as z from 'zod';
import { storeVariable } from './lead-settings.ts';
import { amount, durationOrNone, LONGEST_TIMER } from './setting-amounts.ts';
import { type Fault, group, host, must, port, type Values } from './setting-values.ts';

const variables = {
	HOST: host.default('localhost'),
	PORT: port.prefault('4321'),
	TRUST_PROXY: z.string().regex(/^\d$/, must('how many proxies stand in front', '1')).default('0').transform(Number),
	HEADERS_TIMEOUT: durationOrNone(LONGEST_TIMER, '10s').prefault('10s'),
	REQUEST_TIMEOUT: durationOrNone(LONGEST_TIMER, '30s').prefault('30s'),
	KEEP_ALIVE_TIMEOUT: durationOrNone(LONGEST_TIMER, '65s').prefault('65s'),
	IDLE_TIMEOUT: durationOrNone(LONGEST_TIMER, '30s').prefault('30s'),
	MAX_CONNECTIONS: amount('a number of connections', '10000').prefault('10000'),
	LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], must('debug, info, warn or error', 'info')).default('info'),
	...storeVariable,
};

/** In seconds: how long a lead may take that is delivered within the request. */
const DELIVERY = 10;

function faultsOf(values: Values<typeof variables>): Fault[] {
	const { HEADERS_TIMEOUT: headers, REQUEST_TIMEOUT: request, IDLE_TIMEOUT: idle, LEAD_STORE: store } = values;
	const faults: Fault[] = [];
	if (request > 0 && headers > request)
		faults.push(['HEADERS_TIMEOUT', 'must be at most REQUEST_TIMEOUT, which headers are a part of, for example 10s']);
	if (store.kind === 'none' && idle > 0 && idle <= DELIVERY)
		faults.push([
			'IDLE_TIMEOUT',
			`must be more than ${DELIVERY}s where LEAD_STORE is none: nothing moves while a lead is delivered, for example 30s`,
		]);
	return faults;
}

/** Where the server listens, how long and how much a client may keep it busy, and what it logs. */
export const serverSettings = group(variables, faultsOf, (values) => ({
	host: values.HOST,
	/** 0 lets the system choose. */
	port: values.PORT,
	/** How many proxies in front of us append to `X-Forwarded-For`. */
	trustProxy: values.TRUST_PROXY,
	/** Of a connection; times in seconds, 0: no limit. */
	limits: {
		headers: values.HEADERS_TIMEOUT,
		request: values.REQUEST_TIMEOUT,
		keepAlive: values.KEEP_ALIVE_TIMEOUT,
		idle: values.IDLE_TIMEOUT,
		connections: values.MAX_CONNECTIONS,
	},
	logLevel: values.LOG_LEVEL,
}));
