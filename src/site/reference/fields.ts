import { type JsonSchema, rulesOf } from '../../discovery/openapi-document.ts';
import { type Field, schemaOf } from './description.ts';

/** Returns the members of a schema in words, in order, each followed by the members of objects in it, such as `errors[].code`. */
export const fieldsOf = (of: JsonSchema, codes: string[] = []): Field[] =>
	membersOf(whole(of)).map(({ name, schema, required }) => ({
		name,
		need: required ? 'required' : 'optional',
		rules: [typeOf(schema), ...rulesOf(schema)],
		description: schema.description,
		example: JSON.stringify(schema.examples?.[0]),
		errors: codes.filter((code) => code.startsWith(`${name}_`)).map((code) => `\`${code}\``),
	}));

function membersOf({ properties, required }: JsonSchema, within = ''): { name: string; schema: JsonSchema; required: boolean }[] {
	return Object.entries(properties!).flatMap(([member, property]) => {
		const schema = whole(property as JsonSchema);
		const name = within + member;
		let [inner, place] = [schema, name];
		while (inner.items) [inner, place] = [whole(inner.items as JsonSchema), `${place}[]`];
		return [{ name, schema, required: required!.includes(member) }].concat(membersOf(inner, `${place}.`));
	});
}

/** Returns a schema merged with those of its reference and its `allOf`. */
function whole(given: JsonSchema): JsonSchema {
	const { allOf = [], ...schema } = schemaOf(given);
	const parts = [...allOf.map((part) => whole(part as JsonSchema)), schema];
	return {
		...(Object.assign({}, ...parts) as JsonSchema),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonSchema['properties'],
		required: parts.flatMap(({ required = [] }) => required),
	};
}

const typeOf = ({ type, items }: JsonSchema): string =>
	items ? `${type} of ${typeOf(whole(items as JsonSchema))}` : [type].flat().join(' or ');
