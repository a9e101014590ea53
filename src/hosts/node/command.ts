import { basename } from 'node:path';
import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
const { operate } = await import('../../cli/command.ts');
const programs: Record<string, () => Promise<Parameters<typeof operate>[0]>> = {
	doctor: async () => (await import('../../cli/doctor/doctor.ts')).doctor,
	keys: async () => (await import('../../cli/keys.ts')).keys,
	leads: async () => (await import('../../cli/leads.ts')).leads,
};
// The build makes a copy of this file for each program, with its name.
await operate(await programs[basename(import.meta.url, '.mjs')]!());
