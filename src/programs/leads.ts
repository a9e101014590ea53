import { requireNode } from './node-version.ts';

requireNode();
const [{ operate }, { leads }] = await Promise.all([import('../command/command.ts'), import('../command/leads.ts')]);
await operate(leads);
