import type * as z from 'zod';
import { buildSchema } from './build-settings.ts';
import { check, environmentWithFile, namesIn, warnOfUnknown } from './environment.ts';
import { leadSettings } from './lead-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { serverSettings } from './server-settings.ts';
import { webhookSettings } from './webhook-settings.ts';

/** Each group is a file, with its variables and checks. `.env.example` explains each variable. */
const settingsSchema = serverSettings.and(mailSettings).and(webhookSettings).and(leadSettings);

/** The names of all variables, with those of the build. */
export const variableNames = [...new Set([...namesIn(settingsSchema), ...namesIn(buildSchema)])];

export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`. Warns of misspelt names.
 *
 * @param defaults replace those in `.env.example`
 * @throws {SettingsError} naming each variable at fault, its fault, and an example
 */
export function readSettings(environment = environmentWithFile(), defaults: NodeJS.ProcessEnv = {}): Settings {
	warnOfUnknown(environment, /^(LEAD|SMTP|SITE|METRICS)_\w+$/, variableNames);
	return check(settingsSchema, environment, defaults);
}
