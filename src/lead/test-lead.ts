import { service } from '../facts/load.ts';
import { exampleLead, type Lead, leadSchema } from './lead.ts';

/** A lead that says that no visitor sent it. An answer to it goes to the sales team. */
export const testLead = (source: string): Lead =>
	leadSchema.parse({
		...exampleLead(({ required }) => required),
		name: 'TEST lead',
		clinic: 'no clinic: this is a test',
		email: service.emails.sales,
		message: 'The operator has sent this to see whether leads arrive here. There is nobody to answer.',
		source,
	});
