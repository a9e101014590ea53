import { type Check, type Examination, skipped } from './check.ts';

const webhooks = ({ settings, leads }: Examination) => {
	const { length } = settings.webhooks.targets;
	return skipped(
		length === 0 ? 'none in these settings' : `${length} in these settings: a test lead to each is sent by ${leads} test`,
	);
};

/** Checks of the webhooks to the sales team. */
export const webhookChecks: Check[] = [{ name: 'webhooks', look: webhooks }];
