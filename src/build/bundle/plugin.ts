import type { Plugin } from 'vite';

/** A plugin for what runs on the server, built: neither for the preview nor for pages that are made ahead. */
export const onServer = (plugin: Plugin): Plugin => ({
	apply: 'build',
	applyToEnvironment: ({ name }) => name === 'ssr',
	...plugin,
});
