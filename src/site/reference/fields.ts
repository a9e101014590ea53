import type { JsonSchema } from '../../discovery/openapi-document.ts';

/** A member of an object, in words. */
export interface Field {
	name: string;
	/** JSON type. */
	type: string;
	required: boolean;
	/** The rules for its value, each a phrase. */
	rules: string[];
	/** Markdown. */
	description: string | undefined;
	/** In JSON. */
	example: string | undefined;
}

/** Returns the members of a schema in order. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
	return Object.entries(properties).map(([name, property]) => {
		const schema = property as JsonSchema;
		return {
			name,
			type: String(schema.type),
			required: required.includes(name),
			rules: rules.flatMap((rule) => rule(schema) ?? []),
			description: schema.description,
			example: schema.examples?.[0] === undefined ? undefined : JSON.stringify(schema.examples[0]),
		};
	});
}

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
