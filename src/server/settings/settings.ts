import type * as z from 'zod';
import { check, environmentWithFile } from './environment.ts';
import { leadSettings } from './lead-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { serverSettings } from './server-settings.ts';
import { webhookSettings } from './webhook-settings.ts';

/** Each group is a file, with its variables and checks. `.env.example` explains each variable. */
const settingsSchema = serverSettings.and(mailSettings).and(webhookSettings).and(leadSettings);

export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`.
 *
 * @param defaults instead of those that `.env.example` names
 * @throws {SettingsError} naming each variable at fault, what is wrong with it, and an example
 */
export const readSettings = (environment = environmentWithFile(), defaults: NodeJS.ProcessEnv = {}): Settings =>
	check(settingsSchema, environment, defaults);
