import type { ApiKey, KeyStore } from '../../lead/store/key-store.ts';

const idForm = /^[\da-f]{1,12}$/;

/** The key whose id begins so; or why there is none, or not one. */
export async function findKey(keys: KeyStore, part: string): Promise<ApiKey | string> {
	const wanted = part.toLowerCase();
	// It may be a key itself, which is not to be printed.
	if (!idForm.test(wanted))
		return 'That is no id: an id has digits and the letters a to f, and list shows it. Of a key itself check tells the id.';
	const [found, another] = (await keys.list()).filter(({ id }) => id.startsWith(wanted));
	if (found === undefined) return `There is no key ${part}. Its owner may have been erased, or it ended long ago. See list.`;
	return another === undefined ? found : `More than one key has an id that begins with ${part}. Write more of the id.`;
}
