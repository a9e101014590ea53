import { API_ACCESS } from '../../service/links.ts';
import { service } from '../../service/load.ts';
import type { Lead } from '../lead.ts';
import type { Row } from './row.ts';
import { shortId } from './short-id.ts';

/** Whether a lead is a request for API access. */
export const asksForAccess = ({ source }: Lead): boolean => source === API_ACCESS;

/**
 * How to issue the key that is asked for; none where no keys are issued.
 *
 * @param kept whether the request is in a store, where the command finds who asks
 */
export function issueRows(id: string, kept: boolean): Row[] {
	if (service.keys === 'none') return [];
	const value = kept ? `npm run keys -- issue --for ${shortId(id)}` : WITHOUT_STORE;
	return [{ name: 'advice', label: 'To issue a key', value }];
}

const WITHOUT_STORE =
	'LEAD_STORE is none, and keys are kept in a store. Where there is one: npm run keys -- issue --name NAME --email EMAIL';
