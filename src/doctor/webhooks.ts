import { formatFor } from '../lead/channels/known-formats.ts';
import { type Check, type DoctorSettings, type Examination, skipped } from './check.ts';

/** Returns the CRMs in the settings: the names of their formats. */
export const crmsIn = ({ webhooks: { targets } }: DoctorSettings): string[] =>
	targets.map(({ url, format }) => formatFor(url, format)).flatMap(({ name, leadsOnly }) => (leadsOnly ? [name] : []));

const webhooks = ({ settings, leads }: Examination) => {
	const { length } = settings.webhooks.targets;
	const crms = crmsIn(settings);
	const test = `${leads} test${crms.length > 0 ? ' --crm' : ''}`;
	return skipped(length === 0 ? 'none in these settings' : `${length} in these settings: a test lead to each is sent by ${test}`);
};

/** Checks of the webhooks to the sales team. */
export const webhookChecks: Check[] = [{ name: 'webhooks', look: webhooks }];
