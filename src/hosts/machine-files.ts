import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fillFacts } from '../facts/facts.ts';
import type { Service } from '../facts/schema.ts';

/** Writes `dist/machines`: files for a machine of your own (systemd, nginx, Prometheus), with this product's names and host in them. */
export async function writeMachineFiles({ name, identifier }: Service, origin: string, dist: URL): Promise<void> {
	const files = {
		[`${identifier}.service`]: 'systemd/unit.service',
		[`${identifier}.socket`]: 'systemd/unit.socket',
		'alerts.yml': 'prometheus/alerts.yml',
		'one-machine.conf': 'nginx/one-machine.conf',
		'static-and-function.conf': 'nginx/static-and-function.conf',
	};
	const folder = new URL('machines/', dist);
	await mkdir(folder, { recursive: true });
	for (const [file, template] of Object.entries(files)) {
		const text = await readFile(new URL(template, import.meta.url), 'utf8');
		await writeFile(
			new URL(file, folder),
			fillFacts(text, { name, identifier, host: new URL(origin).host }, `src/hosts/${template}`),
		);
	}
}
