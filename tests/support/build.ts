import { buildIfChanged } from '../../src/scripts/build.mjs';
import { SMALL_SITE, writeSmallSite } from './small-site.ts';

/** The builds that most tests look at, of our content and of the small site: `npm run test:build`. */
process.env['SITE_URL'] = 'https://www.website.test';
await buildIfChanged('var/test/dist');
writeSmallSite();
process.chdir(SMALL_SITE);
process.once('exit', (code) => code && console.error('This is the small site: tests/fixtures/site has its content.'));
await buildIfChanged('dist');
