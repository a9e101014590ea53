import * as z from 'zod';
import { parseContentFile } from '../../facts/content-file.ts';
import { factsOf, textFacts } from '../../facts/facts.ts';
import { pathIn } from '../../facts/language.ts';
import { markdownPath, paths } from '../../facts/links.ts';
import { attempt, suggestionFor } from '../../facts/mistake.ts';
import type { PageFile } from '../../facts/page.ts';
import { SERVICE, serviceSchema } from '../../facts/schema.ts';
import { filesIn, languagesOf, textIn } from './files.ts';
import { parseProse, type Prose } from './prose.ts';
import { readGuides, readSinglePages, readTexts } from './pages.ts';

/** A page of prose that could be read. */
export interface ReadPage extends PageFile {
	prose: Prose;
}

/** The content that the rules look at. */
export interface Content {
	/** The project's folder. */
	root: string;
	/** Without a trailing slash. */
	origin: string;
	/** The names of the facts; undefined if the facts have mistakes. */
	facts: string[] | undefined;
	/** The names of those that a service can lack; undefined likewise. */
	optionalFacts: string[] | undefined;
	guides: PageFile[];
	/** All pages of prose, and the texts for programs. */
	pages: ReadPage[];
	/** The published paths of the files of `public/`. */
	publicPaths: string[];
	/** Every published path, without those of problems, which only the build knows. */
	paths: string[];
	/** Says what could not be read. */
	mistakes: string[];
}

/** Reads everything that editors write. */
export function readContent(root: string, origin: string): Content {
	const publicPaths = filesIn(root, 'public').map((file) => file.replace(/^public/, ''));
	const facts = attempt(() => factsIn(root, origin, publicPaths));
	const [all, needed] = facts.result ?? [];
	const guides = readGuides(root);
	const files = [...guides, ...readSinglePages(root)];
	const read = [...files, ...readTexts(root)].map((file) => ({
		file,
		prose: attempt(() => parseProse(file.file, file.source)),
	}));
	const pagePaths = [
		...files.flatMap((file) => file.path ?? []),
		...languagesOf(root).map((language) => pathIn(language, paths.contact)),
	];
	return {
		root,
		origin,
		facts: all && [...textFacts, ...Object.keys(all)],
		optionalFacts: all && Object.keys(all).filter((name) => !needed![name]),
		guides,
		pages: read.flatMap(({ file, prose: { result: prose } }) => (prose ? [{ ...file, prose }] : [])),
		publicPaths,
		paths: [...new Set([...Object.values(paths), ...pagePaths, ...pagePaths.map(markdownPath), ...publicPaths])],
		mistakes: [facts.mistakes, ...read.flatMap(({ file, prose }) => [file.mistakes, prose.mistakes])].flat(),
	};
}

/** Returns the facts, and those of the same service without anything optional. */
function factsIn(root: string, origin: string, publicPaths: string[]) {
	const service = parseContentFile(SERVICE, textIn(root, SERVICE), schemaWith(publicPaths));
	return [service, neededOf(serviceSchema, service) as typeof service].map((one) => factsOf(one, origin, standIns));
}

/** Returns a value without the members that its schema does not require. */
function neededOf(schema: unknown, value: unknown): unknown {
	if (!(schema instanceof z.ZodObject)) return value;
	const members = Object.entries(schema.shape).filter(([, member]) => !(member instanceof z.ZodOptional));
	return Object.fromEntries(members.map(([name, member]) => [name, neededOf(member, (value as Record<string, unknown>)[name])]));
}

/** The check needs no words, only whether a fact has some. */
const standIns = {
	tagline: '-',
	description: '-',
	perMinute: '-',
	perMonth: '-',
	withinWorkingDays: { other: '-' },
	consentRule: '-',
};

/** Returns {@link serviceSchema} with the files that facts may name. */
function schemaWith(publicPaths: string[]) {
	const { recording } = serviceSchema.shape;
	const { file } = recording.unwrap().shape;
	const existing = file.refine((path) => publicPaths.includes(path), {
		error: ({ input }) => `a file of public/, ${suggestionFor(String(input), publicPaths)}`,
	});
	return serviceSchema.extend({ recording: recording.unwrap().extend({ file: existing }).optional() });
}
