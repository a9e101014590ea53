import * as z from 'zod';

const text = z.string().trim().min(1);
const httpsUrl = z.url({ protocol: /^https$/, error: 'an absolute https URL' });
const days = { error: 'a whole number of days, 1 or more' };
const phoneNumber = z
	.string({ error: "a phone number in quotes, such as '+44 20 7946 0018'" })
	// 7 to 15 digits (ITU-T E.164, section 6.2.1).
	.regex(/^\+[1-9](?:[ ()-]*\d){6,14}$/, {
		error: 'a phone number with + and the code of its country, such as +44 20 7946 0018',
	});
const amount = (unit: string) => z.number({ error: `a number above 0: the lowest price per ${unit}` }).positive();

/** A public key as in RFC 7517 section 4. Loose, but without private or symmetric members, because we publish the set. */
const publicKey = z
	.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']), kid: text })
	.refine((key) => !['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].some((member) => member in key), {
		error: 'a public key: it has a private member (d, p, q, dp, dq, qi, oth or k)',
	});

const planned = z.strictObject({
	/** No OAuth endpoint exists. The metadata documents say so, and name none. */
	state: z.literal('planned'),
});

const live = z.strictObject({
	/** We serve OAuth. Every member that RFC 8414 section 2 and OpenID Connect Discovery 1.0 section 3 require must be here. */
	state: z.literal('live'),
	authorizationEndpoint: httpsUrl,
	tokenEndpoint: httpsUrl,
	/** OAuth 2.0 `response_type` values, e.g. `code`. */
	responseTypes: z.array(text).min(1),
	/** Explicit, because the default of RFC 8414 (`authorization_code`, `implicit`) is wrong for most servers. */
	grantTypes: z.array(text).min(1),
	subjectTypes: z.array(z.enum(['public', 'pairwise'])).min(1),
	idTokenSigningAlgorithms: z.array(text).refine((algorithms) => algorithms.includes('RS256'), {
		error: 'a list that contains RS256 (OpenID Connect Discovery 1.0, section 3)',
	}),
	/** The scopes of sign-in, beside those of the API; must contain `openid`. */
	scopes: z.array(text).refine((scopes) => scopes.includes('openid'), { error: 'a list that contains openid' }),
	/** The keys that `/.well-known/jwks.json` publishes. */
	keys: z.array(publicKey).min(1),
});

/** The facts of `content/service.yaml`. */
export const serviceSchema = z.strictObject({
	/** The product's name, as people read it. */
	name: text,
	/** The company that offers it, with its legal form: the controller of personal data, and the contact in the API description. */
	company: text,
	/** The product's name for programs: `service` in the answer of `GET /api/status`, units and folders on a machine. */
	identifier: z.string().regex(/^[a-z][a-z0-9-]*$/, { error: 'lower case letters, digits and hyphens, e.g. front-desk' }),
	api: z.strictObject({
		/** Version of the API: `info.version` in OpenAPI and `version` in the status. */
		version: z.string().regex(/^\d+\.\d+\.\d+$/, { error: 'a version such as 1.0.0' }),
		/** Licence of the API description: `info.license` (OpenAPI 3.1.0, section 4.8.4). */
		license: z.strictObject({ identifier: text, name: text }),
	}),
	/** The name in the register of companies, if it says more than `company`. */
	legalName: text.optional(),
	/** The postal address, on one line. */
	address: text.optional(),
	/** The company's register, and its number there. */
	register: text.optional(),
	/** Numbers as their country writes them. A tap calls one. */
	phones: z
		.strictObject({
			/** People answer here. */
			office: phoneNumber.optional(),
			/** The receptionist itself answers here, for callers who want to hear it. */
			demo: phoneNumber.optional(),
		})
		.optional(),
	/** A call to listen to. */
	recording: z
		.strictObject({
			/** Its published path. */
			file: z
				.string()
				.regex(/^\/[^?#]+\.(m4a|mp3|ogg|opus|wav)$/, { error: 'the path of a sound file of public/, such as /call.mp3' }),
			/** Its words, a line for each turn, for people who cannot hear it. */
			transcript: text,
		})
		.optional(),
	/** Pages about the company at other sites, by the name of the site. */
	profiles: z.record(text, httpsUrl).optional(),
	/** We answer a message within this many working days. */
	answerWorkingDays: z.int(days).positive(days).optional(),
	/** A page where visitors book a time to talk. */
	bookingUrl: httpsUrl.optional(),
	prices: z
		.strictObject({
			/** ISO 4217 code. */
			currency: z.string().regex(/^[A-Z]{3}$/, { error: 'an ISO 4217 currency code such as USD' }),
			payAsYouGo: z.strictObject({ from: amount('minute'), per: z.literal('minute') }),
			plans: z.strictObject({ from: amount('month'), per: z.literal('month') }),
		})
		.superRefine(({ currency, payAsYouGo, plans }, context) => {
			// Pages would round further decimals, and data would not.
			const format = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
			const decimals = format.maximumFractionDigits ?? 0;
			const message = `${decimals} decimals at most, and no dot between thousands`;
			for (const [name, { from }] of Object.entries({ payAsYouGo, plans }))
				if (Number(from.toFixed(decimals)) !== from) context.addIssue({ code: 'custom', path: [name, 'from'], message });
		}),
	emails: z.strictObject({
		/** Sales questions, and requests for API access. */
		sales: z.email(),
		/** Questions and requests about personal data. */
		privacy: z.email(),
		/** Reports of weaknesses: `Contact` in security.txt (RFC 9116 section 2.5.3). */
		security: z.email(),
	}),
	privacyNotice: z.strictObject({
		/** Date of the notice and of the consent text, YYYY-MM-DD. */
		version: z.iso.date({ error: 'a date such as 2026-11-01, in quotes' }),
		/** The service keeps a delivered lead for this many days at most. */
		retentionDays: z.int().min(0),
	}),
	/** Whether we issue API keys. `none`: only the public test key works, and no document promises another. */
	keys: z.enum(['none', 'issued']),
	/** OAuth 2.0 scopes (RFC 6749 section 3.3) of the API, each with what it allows. */
	scopes: z.record(
		z.string().regex(/^[!#-[\]-~]+$/, { error: 'a name of ASCII characters without spaces, quotes and backslashes' }),
		text,
	),
	/** `identity_types_supported` of auth.md v0.1. */
	identityTypes: z.array(z.literal('anonymous')).min(1),
	oauth: z.discriminatedUnion('state', [planned, live]),
	/** The URL where a browser edits the project's files, by their paths from its root. Pages of documentation link there. */
	editUrl: httpsUrl
		.regex(/\/_?edit\/./, {
			error: 'the https URL below which files are edited, such as https://github.com/firm/website/edit/main',
		})
		.optional(),
	/** The content signals of robots.txt: for search, for input to AI answers, for training. */
	contentSignals: z.strictObject({ search: z.boolean(), aiInput: z.boolean(), aiTrain: z.boolean() }),
});

export type Service = z.output<typeof serviceSchema>;
