import { expect, test, vi } from 'vitest';
import { routeOf } from '../../src/channels/routes.ts';

test('many routes for countries load the names of countries no more often than one does', () => {
	const loading = vi.spyOn(Intl, 'DisplayNames');
	const loadedFor = (codes: string[]) => {
		const before = loading.mock.calls.length;
		const routes = codes.map((value) => ({ field: 'country' as const, value, to: [] }));
		expect(routeOf({ country: 'Nowhere' }, routes)).toBeUndefined();
		return loading.mock.calls.length - before;
	};
	expect(loadedFor(['DE'])).toBeGreaterThan(0);
	expect(loadedFor(['DE', 'AT', 'CH', 'FR', 'ES'])).toBe(0);
});
