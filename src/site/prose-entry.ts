import { type CollectionEntry, getEntry } from 'astro:content';

/** The page of prose of this name in a language. Each language has all of them. */
export async function proseEntry(language: string, name: string): Promise<CollectionEntry<'pages'>> {
	const entry = await getEntry('pages', `${language}/${name}`);
	if (entry === undefined)
		throw new Error(`content/${language}/${name}.mdx is missing: write it, or delete the folder of the language.`);
	return entry;
}
