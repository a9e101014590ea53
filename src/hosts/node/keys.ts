import { requireNode } from './node-version.ts';

requireNode();
const [{ operate }, { keys }] = await Promise.all([import('../../cli/command.ts'), import('../../cli/keys.ts')]);
await operate(keys);
