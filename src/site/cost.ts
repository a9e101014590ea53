import type { Service } from '../facts/schema.ts';
import type { amountFormat } from '../facts/amount.ts';

type Rates = Pick<Service['prices'], 'payAsYouGo' | 'plans'>;

/** The calculator's data, in an attribute of the page. */
export interface CostData {
	rates: Rates;
	format: ReturnType<typeof amountFormat>;
}

/** The assumptions of the estimate. A reader with JavaScript sets calls and minutes. */
export const assumed = { callsADay: [5, 10, 20, 40], minutesACall: 3, days: 30 };

/** The lowest cost of a month under each offer, in the currency of the prices. */
export function costOf(callsADay: number, minutesACall: number, { payAsYouGo, plans }: Rates) {
	const minutes = callsADay * minutesACall * assumed.days;
	const { includedMinutes = minutes, overage = 0 } = plans;
	return [minutes * payAsYouGo.from, plans.from + Math.max(0, minutes - includedMinutes) * overage];
}
