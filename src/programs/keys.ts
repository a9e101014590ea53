import { hideExpectedWarning, requireNode } from './node-version.ts';

requireNode();
hideExpectedWarning();
const [{ operate }, { keys }] = await Promise.all([import('../command/command.ts'), import('../command/keys.ts')]);
await operate(keys);
