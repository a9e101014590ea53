import { createHash } from 'node:crypto';
import { frontMatter, SKILL, skillSchema } from '../facts/page.ts';
import { parseContentFile } from '../facts/content-file.ts';
import type { Source } from './source.ts';
import { publishedText } from './text.ts';

/**
 * `SKILL.md` (agentskills.io): how an agent sends a lead.
 *
 * @throws {ContentError} as {@link publishedText}
 */
export const skill = (source: Source): string => publishedText(source.skill, SKILL, source);

/**
 * `/.well-known/agent-skills/index.json` (Agent Skills Discovery 0.2.0). The digest is of the published bytes.
 *
 * @throws {ContentError} the front matter of the skill has a mistake
 */
export function agentSkills(source: Source) {
	const text = skill(source);
	const { name, description } = parseContentFile(SKILL, frontMatter(text), skillSchema);
	const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
	return {
		$schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
		skills: [{ name, type: 'skill-md', description, url: source.links.skill, digest }],
	};
}
