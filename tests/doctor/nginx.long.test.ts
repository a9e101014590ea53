import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { origin, service } from '../../src/facts/load.ts';
import { siteCertificate } from '../support/certificate.ts';
import { otherHost, runDoctor } from '../support/doctor-command.ts';
import { startFunction } from '../support/function.ts';
import { nginxMissing, startNginx } from '../support/nginx.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.skipIf(nginxMissing)(
	'of nginx with the built files, and of the function behind it, nothing is complained of but its other host',
	async () => {
		await using folder = new AsyncDisposableStack();
		const host = folder.use(await startFunction({ TRUST_PROXY: '1' }));
		const certificate = await siteCertificate([new URL(origin).hostname, otherHost]);
		const trusted = path.join(folder.use(await temporaryFolder()).path, 'ca.pem');
		writeFileSync(trusted, certificate.cert);
		const places = { [`/opt/${service.identifier}/dist`]: path.resolve('var/test/dist'), 'http://127.0.0.1:4322': host.url };
		const file = 'var/test/dist/machines/static-and-function.conf';
		const { port } = folder.use(await startNginx(file, certificate, places));
		const { code, complaints } = await runDoctor([origin, '--at', `127.0.0.1:${port}`], { NODE_EXTRA_CA_CERTS: trusted });
		expect([code, complaints]).toEqual([0, [expect.objectContaining({ check: 'host: one address' })]]);
	},
);
