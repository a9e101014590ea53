import { amount, durationOrNone, LONGEST_TIMER } from './setting-amounts.ts';
import type { Fault } from './setting-values.ts';

/** How long and how much a client may keep the server busy; times in seconds. */
export const connectionVariables = {
	HEADERS_TIMEOUT: durationOrNone(LONGEST_TIMER, '10s').prefault('10s'),
	REQUEST_TIMEOUT: durationOrNone(LONGEST_TIMER, '30s').prefault('30s'),
	KEEP_ALIVE_TIMEOUT: durationOrNone(LONGEST_TIMER, '65s').prefault('65s'),
	IDLE_TIMEOUT: durationOrNone(LONGEST_TIMER, '30s').prefault('30s'),
	MAX_CONNECTIONS: amount('a number of connections', '10000').prefault('10000'),
};

interface Variables {
	HEADERS_TIMEOUT: number;
	REQUEST_TIMEOUT: number;
	IDLE_TIMEOUT: number;
	LEAD_STORE: string;
}

/** In seconds: how long a lead may take that is delivered within the request. */
const DELIVERY = 10;

/** What is wrong with the times as a whole. */
export function connectionFaults(variables: Variables): Fault[] {
	const { HEADERS_TIMEOUT: headers, REQUEST_TIMEOUT: request, IDLE_TIMEOUT: idle, LEAD_STORE: store } = variables;
	const faults: Fault[] = [];
	if (request > 0 && headers > request)
		faults.push(['HEADERS_TIMEOUT', 'must be at most REQUEST_TIMEOUT, which headers are a part of, for example 10s']);
	if (store === 'none' && idle > 0 && idle <= DELIVERY)
		faults.push([
			'IDLE_TIMEOUT',
			`must be more than ${DELIVERY}s where LEAD_STORE is none: nothing moves while a lead is delivered, for example 30s`,
		]);
	return faults;
}
