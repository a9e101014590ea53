import type { Copy } from '../service/copy.ts';
import { copyIn } from '../service/load.ts';

/** The words of the contact page; where it takes a request for API access, with its own in the places of the others. */
export function contactCopy(language: string, accessRequest: boolean): Copy {
	const copy = copyIn(language);
	if (!accessRequest) return copy;
	const { title, description, introduction, fields } = copy.accessRequest;
	return { ...copy, title, description, introduction, fields: { ...copy.fields, ...fields } };
}
