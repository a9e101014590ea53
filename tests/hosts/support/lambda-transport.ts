import { registerHooks } from 'node:module';

/**
 * AWS's runtime client sends answers through a library in C++, which is not built here. Loaded into it with `--import`, this puts the same
 * two calls over Node's own HTTP client in its place.
 */
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === './rapid-client.node'
			? { url: import.meta.resolve('./lambda-client.ts'), format: 'module-typescript', shortCircuit: true }
			: next(specifier, context),
});
