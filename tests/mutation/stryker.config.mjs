const { ROOM } = process.env;

export default {
	/** Everything about leads, or one folder of `src/`. */
	mutate: ROOM ? [`src/${ROOM}/**/*.ts`] : ['src/lead/**/*.ts', 'src/http/**/*.ts'],
	mutator: { excludedMutations: ['StringLiteral'] },
	ignoreStatic: true,
	ignorePatterns: ['/var', '/dist', '/.astro'],
	tempDirName: 'var/mutation/sandbox',
	symlinkNodeModules: false,
	buildCommand: 'npm run test:build',
	testRunner: 'vitest',
	vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
	concurrency: 4,
	dryRunTimeoutMinutes: 20,
	incremental: true,
	incrementalFile: 'var/mutation/incremental.json',
	reporters: ['progress', 'clear-text', 'html'],
	htmlReporter: { fileName: 'var/mutation/report.html' },
};
