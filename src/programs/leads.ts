import { requireNode } from './node-version.ts';
import { hideExpectedWarning } from './node-warnings.ts';

requireNode();
hideExpectedWarning();
const [{ operate }, { leads }] = await Promise.all([import('../command/operate.ts'), import('../lead/command/leads.ts')]);
await operate(leads);
