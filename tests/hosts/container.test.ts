import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { missing } from '../support/missing.ts';
import { newLead, postBody } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { shared } from '../support/shared.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

const containerMissing = missing(
	'Container',
	['/usr/bin/buildah', '/usr/sbin/debootstrap'].every((file) => existsSync(file)) && process.getuid?.() === 0,
	'they need root and Debian’s buildah and debootstrap.',
);

type Compose = { services: { website: { environment: Record<string, string>; secrets: string[]; stop_grace_period: string } } };
const { website } = (parse(readFileSync('var/test/dist/machines/compose.yaml', 'utf8')) as Compose).services;

describe.skipIf(containerMissing)('the container', () => {
	const container = shared(() => buildContainer());

	/** Runs a program beside the server, and returns its exit code and its output. */
	const resultOf = async (command: string[], PORT = '') => {
		await using program = container().run(command, { PORT });
		return [await program.exit(), program.output];
	};

	test('is small, and its user is not root', async () => {
		const [, used] = await resultOf(['du', '--summarize', '--block-size=M', '/app']);
		// In MiB, beside its base image.
		expect(Number.parseInt(String(used), 10)).toBeLessThanOrEqual(16);
		expect(await resultOf(['id', '--user'])).toEqual([0, '1000\n']);
	});

	test('run as by compose, it delivers a lead, writes nothing but its volume, is healthy, and stops in time', async () => {
		const { config, run, secrets, volume } = container();
		await using team = await startSalesTeam();
		const settings: Record<string, string> = team.settings;
		for (const secret of website.secrets) {
			const file = `${secrets}/${secret}`;
			writeFileSync(file, settings[secret.toUpperCase().replaceAll('-', '_')] ?? '');
			chownSync(file, 1000, 1000);
			chmodSync(file, 0o400);
		}
		const { LEAD_EMAIL_TO, LEAD_EMAIL_FROM } = team.settings;
		// Other programs may have its ports here.
		const ports = { PORT: '0', METRICS_ADDRESS: '0.0.0.0:0' };
		await using server = run(config.Cmd, { LEAD_EMAIL_TO, LEAD_EMAIL_FROM, ...website.environment, ...ports });
		const [, url] = await server.printed(/"url":"(.*?)"/);
		const lead = newLead();
		expect((await postBody(url!, lead)).status).toBe(200);
		await expect.poll(() => team.missing([lead.message])).toEqual([]);
		expect(existsSync(`${volume}/leads.db`)).toBe(true);
		const [, metrics] = await server.printed(/"metrics":"(http.*?)"/);
		expect((await fetch(metrics!)).status).toBe(200);
		expect(config.Healthcheck.Test[0]).toBe('CMD');
		const { port } = new URL(url!);
		expect(await resultOf(config.Healthcheck.Test.slice(1), port)).toEqual([0, '']);
		expect(await resultOf(config.Healthcheck.Test.slice(1), '4')).toEqual([1, '']);
		expect(await resultOf(['sh', '-c', 'touch var/file && touch /tmp/file'])).toEqual([0, '']);
		expect(await resultOf(['touch', '/home/node/file'])).toEqual([1, expect.stringContaining('Read-only file system')]);

		const start = performance.now();
		const [id] = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').split(' ');
		process.kill(Number(id), config.StopSignal);
		expect(await server.exit()).toBe(0);
		expect((performance.now() - start) / 1000).toBeLessThan(Number.parseInt(website.stop_grace_period, 10));
	});
});

const file = readFileSync('src/hosts/container/Containerfile', 'utf8');

/**
 * Makes a base image under the name that the container file asks for, of Debian's packages, this Node.js and this npm, so that no
 * registry of images is needed. Then runs the command at the head of the container file.
 */
const BUILD = `
set -eu
buildah() { command buildah --storage-driver vfs --root "$FOLDER/images" --runroot "$FOLDER/run" "$@"; }
base=$(buildah from scratch)
root=$(buildah mount "$base")
# What it mounts ends with it.
unshare --mount debootstrap --variant=minbase bookworm "$root"
(cd "$root" && rm -r usr/share/doc usr/share/locale usr/share/man var/cache/apt)
install -m 755 "$NODE" "$root/usr/local/bin/node"
cp -rL "$NPM" "$root/usr/local/lib/npm"
ln -s ../lib/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp "$CERTIFICATES" "$root/etc/ours.pem"
chroot "$root" useradd --create-home node
buildah config --env PATH="$PATH" --env NODE_EXTRA_CA_CERTS=/etc/ours.pem "$base"
buildah commit --quiet --rm "$base" ${/^FROM (\S+)/m.exec(file)![1]}
${/podman (build .*)$/m.exec(file)![1]!.replace('build', 'buildah build --pull-never --isolation chroot')}
buildah inspect --type image website > "$FOLDER/image.json"
ln -s "$(buildah mount "$(buildah from --pull-never website)")" "$FOLDER/root"
# A new volume has the content and the owner of the image's folder.
cp --archive "$FOLDER/root/app/var" "$FOLDER/volume"
mkdir "$FOLDER/secrets"
`;

/** Gives a program what a container engine gives it by our compose file: file systems, no way to more rights, and the process id 1. */
const RUN = `
set -eu
mount --bind "$FOLDER/root" "$FOLDER/root"
cd "$FOLDER/root"
mkdir -p run/secrets
touch etc/hosts
mount --bind /etc/hosts etc/hosts
mount --bind "$FOLDER/secrets" run/secrets
mount --bind "$FOLDER/volume" app/var
mount -t tmpfs tmpfs tmp
mount -t proc proc proc
mount -o remount,bind,ro "$FOLDER/root"
exec setpriv --no-new-privs chroot --userspec="$RUN_AS" . env --chdir="$WORKDIR" "$@"
`;

/** The configuration of an image, in Docker's format. */
type Config = Words & { StopSignal: NodeJS.Signals; Healthcheck: { Test: string[] } };
type Words = Record<'User' | 'WorkingDir', string> & Record<'Env' | 'Cmd', string[]>;

/** Builds the project's container. It disappears when it is disposed of. */
async function buildContainer() {
	const folder = await temporaryFolder();
	const env = {
		FOLDER: folder.path,
		NODE: process.execPath,
		NPM: path.resolve(process.env['npm_execpath']!, '../..'),
		CERTIFICATES: process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt',
	};
	await using building = new TestProcess(['-c', BUILD], { program: 'sh', env, detached: true });
	if ((await building.exit()) !== 0) throw new Error(building.output);
	const image = JSON.parse(readFileSync(`${folder.path}/image.json`, 'utf8')) as { Docker: { config: Config } };
	const { config } = image.Docker;
	return {
		config,
		secrets: `${folder.path}/secrets`,
		volume: `${folder.path}/volume`,
		/** Runs a program in the image, on a file system that it can only read. @param settings beside those of the image */
		run(command: string[], settings: Record<string, string> = {}) {
			// The image does not have the file that keeps other programs from asking the network for a name.
			const own = { FOLDER: folder.path, RUN_AS: config.User, WORKDIR: config.WorkingDir, NODE_OPTIONS: '' };
			const image = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s)));
			const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', RUN, 'sh', ...command];
			return new TestProcess(args, { program: 'unshare', env: { ...image, ...settings, ...own } });
		},
		...disposing(folder),
	};
}
