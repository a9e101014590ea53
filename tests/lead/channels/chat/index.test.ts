import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as services from '../../../../src/lead/channels/chat/index.ts';
import * as known from './index.ts';

const listed = {
	'src/lead/channels/chat': Object.values(services).map(({ name }) => name),
	'tests/lead/channels/chat': Object.values(known).map(({ format }) => format.name),
};

test.each(Object.entries(listed))(
	'%s/index.ts lists each chat service, and each is a file named for it',
	async (folder, names) => {
		const files = (await readdir(folder)).filter((file) => !/^index\.ts$|\.test\.ts$/.test(file));
		expect(names.map((name) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
	},
);

test('tests/lead/channels/chat says of each chat service what is known of it', () => {
	expect(listed['tests/lead/channels/chat'].toSorted()).toEqual(listed['src/lead/channels/chat'].toSorted());
});
