import { campaignNames } from '../lead/campaign.ts';

/** The longest value that is taken from an address, in UTF-16 code units. */
const LONGEST = 60;

/** Remembers in this tab the visitor's first page, the site that sent them and its campaign, and adds them to the form’s `source`. */
export function addVisit(form: HTMLFormElement | null): void {
	const visit = new URLSearchParams(remembered());
	const source = form?.querySelector<HTMLInputElement>('[name=source]');
	// A form that the server has answered has them already, and a request for API access comes from no campaign.
	if (!source || !/^\/[^?]*(\?topic=\w+)?$/.test(source.value)) return;
	if (visit.get('first') === location.pathname) visit.delete('first');
	if (visit.size > 0) source.value += (source.value.includes('?') ? '&' : '?') + visit;
}

function remembered(): string {
	try {
		return (sessionStorage['visit'] ??= visitNow());
	} catch {
		// This browser forbids storage.
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
 * Fills the form from the fragment of the address, where an assistant writes what its person has told it: no server and no log sees
 * a fragment. @returns whether it filled anything
 */
export function fillFromLink(form: HTMLFormElement): boolean {
	const filled = fillIn(form, new URLSearchParams(location.hash.slice(1)));
	if (filled.length > 0) history.replaceState(null, '', location.pathname + location.search);
	return filled.length > 0;
}

/** Fills the empty fields that people write or choose in. A list takes none but its own values. Never ticks the consent. @returns the names of those that it filled */
export function fillIn(form: HTMLFormElement, given: URLSearchParams): string[] {
	const empty = textFieldsOf(form).filter(({ name, value }) => given.get(name) && !value);
	for (const field of empty) {
		// The server cleans and checks these texts like all others.
		field.value = given.get(field.name)!.slice(0, 5000);
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}
	return empty.flatMap(({ name, value }) => (value ? name : []));
}

export const textFieldsOf = (form: HTMLFormElement) => [
	...form.querySelectorAll<HTMLInputElement>('.field > :is(input, textarea, select)'),
];
