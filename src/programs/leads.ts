import { hideExpectedWarning, requireNode } from './node-version.ts';

requireNode();
hideExpectedWarning();
const [{ operate }, { leads }] = await Promise.all([import('../command/operate.ts'), import('../command/leads/leads.ts')]);
await operate(leads);
