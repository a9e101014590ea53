import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';

export type Certificate = Awaited<ReturnType<typeof certificateFor>>;

/** Returns a self-signed certificate for a server on this machine: `localhost`, 127.0.0.1 and 0.0.0.0. */
export const localCertificate = () => certificateFor('localhost', ['127.0.0.1', '0.0.0.0']);
export const foreignCertificate = () => certificateFor('elsewhere.test');
export const expiredCertificate = () => certificateFor('localhost', ['0.0.0.0'], -1);

async function certificateFor(name: string, ips: string[] = [], days = 365) {
	const altNames = [{ type: 2 as const, value: name }, ...ips.map((ip) => ({ type: 7 as const, ip }))];
	const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate: new Date(Date.now() - 10 * 86_400_000),
		notAfterDate: new Date(Date.now() + days * 86_400_000),
		extensions: [{ name: 'subjectAltName', altNames }],
	});
	return { cert, key };
}

/** Makes this process trust a certificate, as `NODE_EXTRA_CA_CERTS` would, until it is disposed. */
export function trust({ cert }: Pick<Certificate, 'cert'>): Disposable {
	const before = getCACertificates('default');
	setDefaultCACertificates([...before, cert]);
	return { [Symbol.dispose]: () => setDefaultCACertificates(before) };
}
