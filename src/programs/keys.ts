import { hideExpectedWarning, requireNode } from './node-version.ts';

requireNode();
hideExpectedWarning();
const [{ operate }, { keys }] = await Promise.all([import('../command/operate.ts'), import('../command/keys/keys.ts')]);
await operate(keys);
