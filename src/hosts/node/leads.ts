import { requireNode } from './node-version.ts';

requireNode();
const [{ operate }, { leads }] = await Promise.all([import('../../cli/command.ts'), import('../../cli/leads.ts')]);
await operate(leads);
