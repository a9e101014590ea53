import { request } from 'node:http';
import { registerHooks } from 'node:module';

/**
 * AWS's runtime client sends answers through a library in C++, which is not built here. Loaded with `--import`, this module takes
 * the library's place.
 */
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === './rapid-client.node'
			? { url: import.meta.url, format: 'module-typescript', shortCircuit: true }
			: next(specifier, context),
});

/** Ends an invocation with the function's result. */
export const done = (id: string, body: string): void => post(`${id}/response`, body);

/** Ends an invocation with the function's error. */
export const error = (id: string, body: string): void => post(`${id}/error`, body);

function post(path: string, body: string): void {
	const url = `http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/${path}`;
	request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => response.resume()).end(body);
}
