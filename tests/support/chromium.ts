import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ofSystem = '/usr/bin/chromium';

/** Returns the path of a Chromium: of `$CHROMIUM`, or of the one that `npm ci` installed or, if that does not run, of the system's. */
export async function chromiumPath(): Promise<string> {
	const named = process.env['CHROMIUM'];
	if (named) return named;
	const runs = process.platform === 'linux' && process.arch === 'x64';
	return !runs && existsSync(ofSystem) ? ofSystem : unpackedChromium();
}

async function unpackedChromium(): Promise<string> {
	const folder = path.resolve('node_modules/.cache/chromium');
	mkdirSync(folder, { recursive: true });
	// Read on import. A separate folder, because the package uses any `chromium` in the system's folder, however old.
	process.env['TMPDIR'] = folder;
	const { default: chromium, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium');
	const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
	// The system libraries that Chromium needs, for machines that lack them.
	await inflate(path.join(path.dirname(entry), '../bin/al2023.tar.br'));
	setupLambdaEnvironment(path.join(folder, 'al2023/lib'));
	const file = path.join(folder, 'fonts.conf');
	// The package's own configuration looks for its fonts in /tmp. Without any font Chromium ends as soon as it lays out text.
	const folders = [path.join(folder, 'fonts'), '/usr/share/fonts'].map((fonts) => `<dir>${fonts}</dir>`);
	// Renamed into place: another worker's Chromium may be reading it.
	const draft = `${file}.${process.pid}`;
	writeFileSync(draft, `<fontconfig>${folders.join('')}<cachedir>${path.join(folder, 'font-cache')}</cachedir></fontconfig>`);
	renameSync(draft, file);
	process.env['FONTCONFIG_FILE'] = file;
	return chromium.executablePath();
}
