import type { JsonSchema } from '../../discovery/openapi-document.ts';
import { schemaOf } from './description.ts';

/** Returns the members of a schema in words, in order, each followed by the members of objects in it, such as `errors[].code`. */
export function fieldsOf(of: JsonSchema, codes: string[] = [], within = ''): Field[] {
	const { properties, required } = whole(of);
	return Object.entries(properties!).flatMap(([member, property]) => {
		const schema = whole(property as JsonSchema);
		const name = within + member;
		let [inner, place] = [schema, name];
		while (inner.items) [inner, place] = [whole(inner.items as JsonSchema), `${place}[]`];
		const field: Field = {
			name,
			type: typeOf(schema),
			required: required!.includes(member),
			rules: rules.flatMap((rule) => rule(schema) ?? []),
			description: schema.description,
			example: schema.examples?.[0] === undefined ? undefined : JSON.stringify(schema.examples[0]),
			errors: codes.filter((code) => code.startsWith(`${name}_`)).map((code) => `\`${code}\``),
		};
		return [field].concat(fieldsOf(inner, codes, `${place}.`));
	});
}

interface Field {
	/** With the names of what it is in. */
	name: string;
	type: string;
	required: boolean;
	/** The rules for its value, each a phrase. */
	rules: string[];
	/** Markdown. */
	description: string | undefined;
	/** In JSON. */
	example: string | undefined;
	/** Codes, in Markdown. */
	errors: string[];
}

/** Returns a schema with all that its reference and its `allOf` say in it. */
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

/** One phrase for each keyword of JSON Schema that our schemas use. */
const rules: ((schema: JsonSchema) => string | undefined)[] = [
	({ const: constant }) => (constant === undefined ? undefined : `always \`${JSON.stringify(constant)}\``),
	({ format }) => (format === undefined ? undefined : `format \`${format}\``),
	({ minLength, maxLength }) => {
		if (maxLength === undefined) return undefined;
		return minLength === undefined ? `at most ${maxLength} characters` : `${minLength} to ${maxLength} characters`;
	},
	({ minimum, maximum }) => (minimum === undefined || maximum === undefined ? undefined : `${minimum} to ${maximum}`),
	({ enum: values }) => values && `one of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`,
	({ minItems, maxItems }) => (maxItems === undefined ? undefined : `${minItems ?? 0} to ${maxItems} items`),
];
