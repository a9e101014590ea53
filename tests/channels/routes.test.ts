import { expect, test } from 'vitest';
import { recipientsOf } from '../../src/channels/routes.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

const ofPlaces = 'country=DE:dach@firm.test,north@firm.test lang=es:iberia@firm.test';
const ofSources = 'source=api-access:dev@firm.test source=/contact?topic=plans:plans@firm.test source=/contact:web@firm.test';
const settings = { LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: `${ofPlaces} ${ofSources}` };
const { LEAD_EMAIL_ROUTES: routes } = readSettings(settings);
const sales = ['sales@website.test'];
const germany = ['dach@firm.test', 'north@firm.test'];

test.each<[fields: Record<string, string>, to: string[]]>([
	[{}, sales],
	[{ country: 'DE', lang: 'es', source: 'api-access' }, germany],
	[{ country: ' germany.' }, germany],
	[{ country: 'Alemania', lang: 'es' }, germany],
	// In the visitor's language, which is none of the site's.
	[{ country: 'Germanujo', lang: 'eo' }, germany],
	[{ country: 'Germanujo', lang: 'not a tag' }, sales],
	[{ country: 'Deutschlandsberg' }, sales],
	[{ lang: 'es-MX', source: 'api-access' }, ['iberia@firm.test']],
	[{ lang: 'esu' }, sales],
	[{ source: 'api-access' }, ['dev@firm.test']],
	[{ source: '/api-access' }, sales],
	[{ source: '/contact' }, ['web@firm.test']],
	[{ source: '/contact?topic=payg' }, ['web@firm.test']],
	[{ source: '/contact?topic=plans' }, ['plans@firm.test']],
	[{ source: '/contacts' }, sales],
])('a lead with %j goes to the recipients of the first route that it matches, or else to the others: %j', (fields, to) => {
	expect(recipientsOf(fields, { to: sales, routes })).toEqual(to);
});
