/** An option, for `parseArgs` and for the help. */
interface Option {
	type: 'boolean' | 'string';
	/** `--state STATE` */
	usage: string;
	summary: string;
	/** Of a string: all that it can be. */
	choices?: readonly string[];
}

export type Options = Record<string, Option>;

/** Those that were given. */
export type Values<Table extends Options> = { [Name in keyof Table]?: ValueOf<Table[Name]> };

type ValueOf<Given extends Option> = Given extends { type: 'boolean' }
	? boolean
	: Given extends { choices: readonly (infer Choice)[] }
		? Choice
		: string;

/** Those that every program for operators has. */
export const commonOptions = {
	yes: { type: 'boolean', usage: '--yes', summary: 'Do not ask.' },
	json: { type: 'boolean', usage: '--json', summary: 'For programs: JSON instead of text.' },
} as const satisfies Options;
