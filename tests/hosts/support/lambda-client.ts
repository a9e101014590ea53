import { request } from 'node:http';

/** Ends an invocation with the function's result. */
export const done = (id: string, body: string): void => post(`${id}/response`, body);

/** Ends an invocation with the function's error. */
export const error = (id: string, body: string): void => post(`${id}/error`, body);

function post(path: string, body: string): void {
	const url = `http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/${path}`;
	request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => response.resume()).end(body);
}
