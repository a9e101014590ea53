import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fillFacts } from '../facts/facts.ts';
import { readService, root } from './read-service.ts';

const machines = 'src/machines/';

/** Writes the files for machines into `dist/machines`, with the names of this product and its host in them. */
export async function writeMachineFiles(origin: string, dist: URL): Promise<void> {
	const { name, identifier } = await readService();
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
		const text = await readFile(new URL(machines + template, root), 'utf8');
		await writeFile(
			new URL(file, folder),
			fillFacts(text, { name, identifier, host: new URL(origin).host }, machines + template),
		);
	}
}
