import { expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';

/** Names that exports, messages or the page use beside the fields. */
const taken = `id receivedAt noticeVersion consentWording apiKey sender state received
	notice progress advice action reset dataset`.split(/\s+/);

test.each(taken)('no field has the name %s, which something beside it has', (name) => {
	expect(leadFields.map((field) => field.name)).not.toContain(name);
});
