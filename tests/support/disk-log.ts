import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a program under test: prints each file and folder that it syncs to disk, and each that it renames, in order. */
const { open, rename } = fs;

fs.open = async (file, ...options) => {
	const handle = await open(file, ...options);
	const sync = handle.sync.bind(handle);
	handle.sync = async () => {
		await sync();
		console.log(`disk: lasting ${String(file)}`);
	};
	return handle;
};

fs.rename = async (from, to) => {
	await rename(from, to);
	console.log(`disk: renamed ${String(from)} ${String(to)}`);
};

syncBuiltinESMExports();
