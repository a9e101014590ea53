import { campaignNames } from '../lead/campaign.ts';

/** In UTF-16 code units: of a value in an address. */
const LONGEST = 60;

/** Remembers in this tab the page that the visitor came to first, the site that sent them and its campaign, and says it in the form’s `source`. */
export function addVisit(form: HTMLFormElement | null): void {
	const visit = new URLSearchParams(remembered());
	const source = form?.querySelector<HTMLInputElement>('[name=source]');
	// A form that the server has answered has it already, and a request for API access comes from no campaign.
	if (!source || !/^\/[^?]*$/.test(source.value)) return;
	if (visit.get('first') === source.value) visit.delete('first');
	if (visit.size > 0) source.value += `?${visit}`;
}

function remembered(): string {
	try {
		return (sessionStorage['visit'] ??= visitNow());
	} catch {
		// The browser keeps nothing.
		return visitNow();
	}
}

function visitNow(): string {
	const from = document.referrer.split('/')[2];
	const address = new URLSearchParams(location.search);
	const given = [
		['first', location.pathname],
		['from', from === location.host ? '' : from],
		...campaignNames.map((name) => [name, address.get(name)]),
	];
	return String(new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name!, value.slice(0, LONGEST)]] : []))));
}

/**
 * Fills the form from the fragment of the address, in which an assistant hands over what its person has told it: no server and no log
 * sees that. Never agrees for anybody. @returns whether it filled anything
 */
export function fillFromLink(form: HTMLFormElement): boolean {
	const given = new URLSearchParams(location.hash.slice(1));
	const fields = [...form.querySelectorAll<HTMLInputElement>('.field > :is(input, textarea)')];
	const filled = fields.filter(({ name, value }) => given.get(name) && !value);
	// The server cleans and cuts like every text.
	for (const field of filled) field.value = given.get(field.name)!.slice(0, 5000);
	if (filled.length > 0) history.replaceState(null, '', location.pathname + location.search);
	return filled.length > 0;
}
