/** Keeps the unsent values of a visitor in the item `name` of sessionStorage. */
export function draftOf(form: HTMLFormElement, name: string) {
	const storage = sessionStorageIfAllowed();
	/** The fields without the consent, and without those that people do not see. */
	const entered = [...form.querySelectorAll<HTMLInputElement>('.field:not(.consent) :is(input, textarea, select)')];

	return {
		keep() {
			const given = entered.filter((field) => !isBox(field) || field.checked);
			storage?.setItem(name, JSON.stringify(Object.fromEntries(given.map(({ name, value }) => [name, value]))));
		},
		restore() {
			const draft = JSON.parse(storage?.getItem(name) ?? '{}') as Record<string, string>;
			for (const field of entered) {
				if (isBox(field)) field.checked ||= draft[field.name] === field.value;
				else if (['', field.defaultValue].includes(field.value)) field.value = draft[field.name] ?? field.value;
			}
		},
		drop: () => storage?.removeItem(name),
	};
}

const isBox = ({ type }: HTMLInputElement) => type === 'checkbox' || type === 'radio';

/** Returns nothing if the browser forbids storage: then there is no draft. */
function sessionStorageIfAllowed(): Storage | undefined {
	try {
		return sessionStorage;
	} catch {
		return undefined;
	}
}
