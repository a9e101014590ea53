import { runnerImport } from 'vite';
import { contentFiles } from '../../src/facts/content-plugin.ts';

const ORIGIN = 'https://www.website.test';

// Node.js itself cannot import the facts.
await runnerImport('./tests/bench/run.ts', {
	configFile: false,
	plugins: [contentFiles(ORIGIN)],
	define: { 'import.meta.env.SITE': JSON.stringify(ORIGIN) },
});
