import { buildIfChanged } from '../../src/scripts/build.mjs';

/** The build that most tests look at: `npm run test:build`. */
process.env['SITE_URL'] = 'https://www.website.test';
await buildIfChanged('var/test/dist');
