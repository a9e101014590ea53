import type { JsonSchema } from '../../discovery/openapi-document.ts';

/** Returns the members of a schema in words, in order. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, codes: string[] = []) {
	return Object.entries(properties).map(([name, property]) => {
		const schema = property as JsonSchema;
		return {
			name,
			/** JSON type. */
			type: String(schema.type),
			required: required.includes(name),
			/** The rules for its value, each a phrase. */
			rules: rules.flatMap((rule) => rule(schema) ?? []),
			/** Markdown. */
			description: schema.description,
			/** In JSON. */
			example: schema.examples?.[0] === undefined ? undefined : JSON.stringify(schema.examples[0]),
			/** Its error codes, in Markdown. */
			errors: codes.filter((code) => code.startsWith(`${name}_`)).map((code) => `\`${code}\``),
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
