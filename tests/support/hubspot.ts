import { startWebhookReceiver } from './webhook-receiver.ts';

const FORM = '/submissions/v3/integration/submit/1234567/5ec2e700-89ab-4def-8123-456789abcdef';

const FIELDS = new Set(['email', 'lastname', 'company', 'phone', 'country', 'message']);

/** The body that HubSpot documents. */
interface Submission {
	fields: Record<'objectTypeId' | 'name' | 'value', string>[];
	submittedAt?: string;
	context?: { pageUri?: string };
	legalConsentOptions?: { consent: { consentToProcess: boolean; text: string } };
}

/** Starts a form of HubSpot, with consent, that checks as documented. */
export async function startHubspot() {
	const taken: Submission[] = [];
	const receiver = await startWebhookReceiver(({ path, headers, body }) => {
		if (path !== FORM || headers['content-type'] !== 'application/json') return { status: 404, body: '{"status":"error"}' };
		const submission = JSON.parse(body) as Submission;
		const errors = Array.from(faultsOf(submission), ([errorType, message]) => ({ message, errorType }));
		if (errors.length > 0) return { status: 400, body: JSON.stringify({ message: 'The request is not valid', errors }) };
		taken.push(submission);
		return { body: '{"inlineMessage":"Thanks for submitting the form."}' };
	});
	return { ...receiver, url: new URL(FORM, receiver.url).href, taken };
}

function* faultsOf({ fields, submittedAt, context, legalConsentOptions }: Submission) {
	const sent = new Map(fields.map(({ objectTypeId, name, value }) => [`${objectTypeId}/${name}`.replace('0-1/', ''), value]));
	for (const name of sent.keys())
		if (!FIELDS.has(name))
			yield ['FIELD_NOT_IN_FORM_DEFINITION', `Error in 'fields.${name}'. '${name}' not present in form definition`];
	const email = sent.get('email');
	if (email === undefined) yield ['REQUIRED_FIELD', `Error in 'fields.email'. Required field 'email' is missing`];
	if (email?.includes("'")) yield ['INVALID_EMAIL', `Error in 'fields.email'. Invalid email address '${email}'`];
	if (!URL.canParse(context?.pageUri ?? 'x:')) yield ['INVALID_PAGE_URI', `Error in 'context.pageUri'. It is not valid`];
	const { consentToProcess, text } = legalConsentOptions?.consent ?? {};
	if (!consentToProcess || !text) yield ['MISSING_PROCESSING_CONSENT_TEXT', 'The consent is missing'];
	const days = (Date.now() - Number(submittedAt ?? Date.now())) / 86_400_000;
	if (days > 28) yield ['INVALID_METADATA', 'submittedAt is too long ago'];
}
