import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
	/** PEM. */
	cert: string;
	/** PEM. */
	key: string;
}

/** A self-signed certificate for a server on this machine: `localhost`, 127.0.0.1 and 0.0.0.0. */
export async function localCertificate(): Promise<Certificate> {
	const altNames = [
		{ type: 2 as const, value: 'localhost' },
		{ type: 7 as const, ip: '127.0.0.1' },
		{ type: 7 as const, ip: '0.0.0.0' },
	];
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames }],
	});
	return { cert, key };
}

/** Makes this process trust a certificate, as `NODE_EXTRA_CA_CERTS` would, until it is disposed. */
export function trust({ cert }: Certificate): Disposable {
	const before = getCACertificates('default');
	setDefaultCACertificates([...before, cert]);
	return { [Symbol.dispose]: () => setDefaultCACertificates(before) };
}
