import { requireNode } from './node-version.ts';

requireNode();
const [{ operate }, { doctor }] = await Promise.all([import('../../cli/command.ts'), import('../../cli/doctor/doctor.ts')]);
await operate(doctor);
