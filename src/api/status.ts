import * as z from 'zod';
import { type Answer, json } from './answer.ts';
import { service, version } from '../facts/load.ts';

export const statusExample = {
	ok: true,
	service: service.identifier,
	version: `${service.api.version}+3f2a9c1`,
	time: '2026-11-01T09:30:00.000Z',
};

/** The answer of `GET /api/status`: these four members. Readers may meet further members later. */
export const statusSchema = z.object({
	ok: z.literal(true).meta({ description: 'The API is up.' }),
	service: z.string().meta({ description: 'The name of the service.', examples: [statusExample.service] }),
	version: z.string().meta({
		description: 'The version of the running service, followed by that of its build (SemVer).',
		examples: [statusExample.version],
	}),
	time: z.iso.datetime().meta({ description: 'The server’s time, ISO 8601 in UTC.', examples: [statusExample.time] }),
});

type Status = z.output<typeof statusSchema>;

/** Answers the health check. */
export function status(): Answer {
	const value: Status = { ok: true, service: service.identifier, version, time: new Date().toISOString() };
	return json(200, value);
}
