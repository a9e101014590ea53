import { expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';

/** Names that exports, messages or the page use beside the fields. */
const taken = `id receivedAt noticeVersion consentWording apiKey sender state received
	notice progress advice action reset dataset`.split(/\s+/);

test('no field has a name that something beside it has', () => {
	expect(leadFields.filter(({ name }) => taken.includes(name))).toEqual([]);
});
