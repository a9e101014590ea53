import type { FrontRequest } from '../../support/front.ts';
import { lowerCase } from './headers.ts';

/** A rule of `config.json`, with the members of Vercel's Build Output API that we use. */
interface Rule {
	src: string;
	methods?: string[];
	has?: Condition[];
	headers?: Record<string, string>;
	continue?: boolean;
	status?: number;
	dest?: string;
}

interface Condition {
	type: 'header' | 'query';
	key: string;
	value?: string;
}

/** A rule, or the word that begins a phase. */
export type VercelRoute = Rule | { handle: string };

/** The target of a request. */
export interface Destination {
	path: string;
	headers: Record<string, string>;
	/** Undefined: the target's own. */
	status: number | undefined;
}

/** Applies the rules of a phase, undefined for the first one, up to the first that fits without `continue`. */
export function lead(from: Destination, request: FrontRequest, routes: VercelRoute[], phase?: string): Destination {
	let at = from;
	for (const rule of rulesOf(routes, phase)) {
		if (!fits(rule, at.path, request)) continue;
		at = { path: rule.dest ?? at.path, headers: { ...at.headers, ...lowerCase(rule.headers) }, status: rule.status ?? at.status };
		if (!rule.continue) break;
	}
	return at;
}

function rulesOf(routes: VercelRoute[], phase: string | undefined): Rule[] {
	const rules: Rule[] = [];
	let current: string | undefined;
	for (const route of routes) {
		if ('handle' in route) current = route.handle;
		else if (current === phase) rules.push(route);
	}
	return rules;
}

const fits = ({ src, methods, has = [] }: Rule, path: string, request: FrontRequest) =>
	new RegExp(src).test(path) && (methods?.includes(request.method) ?? true) && has.every((one) => holds(one, request));

function holds({ type, key, value }: Condition, { path, headers }: FrontRequest): boolean {
	const found = type === 'header' ? headers[key] : new URL(path, 'https://localhost').searchParams.get(key);
	return typeof found === 'string' && (value === undefined || new RegExp(`^(?:${value})$`).test(found));
}
