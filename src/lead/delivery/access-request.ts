import { API_ACCESS } from '../../service/links.ts';
import type { Lead } from '../lead.ts';
import type { Row } from './row.ts';
import { shortId } from './short-id.ts';

/** Whether a lead is a request for API access. */
export const asksForAccess = ({ source }: Lead): boolean => source === API_ACCESS;

/** How to issue the key that is asked for. `kept`: whether the request is in a store, where the command finds who asks. */
export const issueRow = (id: string, kept: boolean): Row => ({
	name: 'advice',
	label: 'To issue a key',
	value: kept ? `npm run keys -- issue --for ${shortId(id)}` : WITHOUT_STORE,
});

const WITHOUT_STORE =
	'LEAD_STORE is none, and keys are kept in a store. Where there is one: npm run keys -- issue --name NAME --email EMAIL';
