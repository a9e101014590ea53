import { requireNode } from './node-version.ts';

requireNode();
const [{ operate }, { keys }] = await Promise.all([import('../command/command.ts'), import('../command/keys.ts')]);
await operate(keys);
