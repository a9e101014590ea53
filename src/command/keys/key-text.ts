import { alignRows, dateTime, isoTime, shortTime, table } from '../printing.ts';
import { type ApiKey, isActive } from '../../lead/store/key-store.ts';
import { service } from '../../facts/load.ts';
import { limitText } from '../../values/rate-limit-policy.ts';

/** The owner, as a mail names its recipient. */
export const ownerText = ({ name, email }: ApiKey['owner']) => `${name} <${email}>`;

const kindOf = ({ test }: ApiKey) => (test ? 'test' : 'live');

/** Returns whether the server accepts a key. */
export const isTaken = (key: ApiKey): boolean => service.keys === 'issued' && isActive(key);

/** Returns the state of a key: `works, ends on 21 Nov 2027`, `ended on 20 Nov 09:30`, `cannot be read`. */
export function stateText(key: ApiKey): string {
	if (key.broken) return 'cannot be read';
	const end = shortTime(key.endsAt, Date.now()).trim();
	if (!isActive(key)) return `ended on ${end}`;
	return isTaken(key) ? `works, ends on ${end}` : `refused while no keys are issued, ends on ${end}`;
}

const headings = ['Key', 'Kind', 'State', 'Scopes', 'Limit', 'Made UTC', 'Last used', 'Leads'];

/** Returns a row for each key, with its owner under it. */
export const keysTable = (keys: ApiKey[]): string =>
	table(
		headings,
		keys.flatMap((key) => [cellsOf(key), { under: ownerText(key.owner) }]),
	);

function cellsOf(key: ApiKey): string[] {
	const { id, scopes, limit, madeAt, lastUsed, leads } = key;
	const made = shortTime(madeAt, Date.now());
	return [id, kindOf(key), stateText(key), scopes.join(','), limitText(limit), made, lastUsed ?? 'never', String(leads)];
}

export function keyText(key: ApiKey): string {
	const { id, owner, scopes, limit, madeAt, endsAt, lastUsed, leads } = key;
	const head = `key ${id}\n${stateText(key)}`;
	if (key.broken) return head;
	const rows = [
		['Owner', ownerText(owner)],
		['Kind', kindOf(key)],
		['Scopes', scopes.join(', ')],
		['Limit', limitText(limit)],
		['Made', dateTime(madeAt)],
		[isActive(key) ? 'Expires' : 'Ended', dateTime(endsAt)],
		['Last used', lastUsed ?? 'never'],
		['Leads sent', String(leads)],
	] as const;
	return `${head}\n\n${alignRows(rows.map(([label, value]) => ({ label, value })))}`;
}

/** Returns a key for programs. */
export function keyData(key: ApiKey) {
	const { id, owner, scopes, limit, test, madeAt, endsAt, lastUsed, leads } = key;
	const times = { madeAt: isoTime(madeAt), endsAt: isoTime(endsAt), lastUsed };
	return { id, owner, scopes, limit, test, works: isTaken(key), ...times, leads };
}
