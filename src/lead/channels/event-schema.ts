import * as z from 'zod';
import { leadSchema } from '../lead.ts';

const { website: _, ...fields } = leadSchema.shape;

const time = () => z.iso.datetime().meta({ description: 'UTC.' });

/** The body of a webhook with a lead, for the JSON Schema that operators get. Its members are those of `messageOf`. */
const leadReceived = z
	.looseObject({
		type: z.literal('lead.received'),
		timestamp: time(),
		data: z.looseObject({
			id: z.uuid().meta({ description: 'The same at each try, and in the header `webhook-id`.' }),
			receivedAt: time(),
			noticeVersion: z.string().meta({ description: 'The version of the privacy notice that the visitor agreed to.' }),
			apiKey: z
				.looseObject({ id: z.string(), owner: z.string().optional() })
				.meta({ description: 'The API key that the lead was sent with. An erased owner has no name.' })
				.optional(),
			spam: z
				.looseObject({ verdict: z.enum(['clear', 'marked', 'held', 'spam']), signals: z.array(z.string()) })
				.meta({ description: 'Whether the lead looks like spam, and the names of the signals. Absent if nobody judges.' })
				.optional(),
			...fields,
		}),
	})
	.meta({ title: 'lead.received' });

/** Returns the JSON Schema of `lead.received`, in draft 2020-12. Other members are allowed: new versions may bring some. */
export const leadEventSchema = () => z.toJSONSchema(leadReceived, { io: 'output' });
