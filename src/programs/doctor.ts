import { requireNode } from './node-version.ts';

requireNode();
const [{ operate }, { doctor }] = await Promise.all([import('../command/command.ts'), import('../doctor/doctor.ts')]);
await operate(doctor);
