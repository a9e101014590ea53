import { registerHooks } from 'node:module';

/**
 * AWS's runtime client sends answers through a library in C++, which is not built here. Loaded with `--import`, this module
 * replaces its two calls by Node's own HTTP client.
 */
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === './rapid-client.node'
			? { url: import.meta.resolve('./lambda-client.ts'), format: 'module-typescript', shortCircuit: true }
			: next(specifier, context),
});
