/** A mail, read by RFC 5322 and RFC 2045 from its bytes, without a mail library. */
export interface InternetMessage {
	/** Unfolded, in order. */
	fields: { name: string; value: string }[];
	body: string;
	/** Leaves of the tree, decoded. */
	parts: { type: string; content: string }[];
}

/** Fields that each of our mails has exactly once (RFC 5322 section 3.6, RFC 2045 section 4). */
const single = ['date', 'from', 'to', 'subject', 'message-id', 'mime-version', 'content-type'];
/** RFC 5322 section 3.2.3 and 3.6.4: `id-left` and `id-right` as we write them. */
const messageId = /^<[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\w-]+(\.[\w-]+)*>$/;
/** RFC 5322 section 3.3, without its obsolete forms. */
const dateTime =
	/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/;

/**
 * Reads a mail, and accepts only what the standards allow.
 *
 * @param raw the bytes, one character each
 * @throws {Error} the mail breaks a standard; the message names the rule
 */
export function readStrictly(raw: string): InternetMessage {
	must(/^[\t\r\n\x20-\x7e]*$/.test(raw), 'only printable ASCII, tab, CR and LF');
	must(!/\r(?!\n)|(?<!\r)\n/.test(raw), 'line ends only as CR LF');
	for (const line of raw.split('\r\n')) must(line.length <= 998, `a line of ${line.length} characters, more than 998`);
	const { fields, body } = entityOf(raw);
	const valuesOf = (wanted: string) => fields.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
	for (const name of single) must(valuesOf(name).length === 1, `${name} exactly once`);
	must(valuesOf('reply-to').length <= 1, 'Reply-To at most once');
	for (const name of ['bcc', 'cc', 'sender', 'received']) must(valuesOf(name).length === 0, `no ${name}`);
	must(messageId.test(valuesOf('message-id')[0]!), `a Message-ID, and not ${valuesOf('message-id')[0]}`);
	must(dateTime.test(valuesOf('date')[0]!), `a date, and not ${valuesOf('date')[0]}`);
	must(valuesOf('mime-version')[0] === '1.0', 'MIME-Version 1.0');
	return { fields, body, parts: leavesOf(fields, body) };
}

/** Splits a message or a part of one into header and body. */
function entityOf(text: string): Pick<InternetMessage, 'fields' | 'body'> {
	const end = text.indexOf('\r\n\r\n');
	must(end > 0, 'an empty line after the header');
	const lines = text.slice(0, end).split(/\r\n(?![ \t])/);
	const fields = lines.map((line) => {
		// RFC 5322 section 2.2: no blank before the colon.
		const match = /^([!-9;-~]+):([^]*)$/.exec(line);
		must(match !== null, `a header field, and not ${line}`);
		for (const piece of line.split('\r\n')) must(/[!-~]/.test(piece), 'no line of a field that is blank');
		return { name: match![1]!, value: match![2]!.replaceAll('\r\n', '').trim() };
	});
	return { fields, body: text.slice(end + 4) };
}

function leavesOf(fields: InternetMessage['fields'], body: string): InternetMessage['parts'] {
	const field = (wanted: string) => fields.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
	const contentType = field('content-type');
	const [type = ''] = contentType.split(';');
	if (!type.startsWith('multipart/')) return [{ type, content: decoded(body, field('content-transfer-encoding')) }];
	const boundary = /boundary="([^"]{1,70})"/.exec(contentType)?.[1];
	must(boundary !== undefined, 'a boundary of at most 70 characters');
	const [preamble, ...pieces] = `\r\n${body}`.split(`\r\n--${boundary}`);
	must(preamble!.trim() === '' && pieces.at(-1)!.startsWith('--'), 'nothing before the first part, and an end after the last');
	return pieces.slice(0, -1).flatMap((piece) => {
		const part = entityOf(piece.replace(/^[ \t]*\r\n/, ''));
		return leavesOf(part.fields, part.body);
	});
}

function decoded(body: string, encoding: string): string {
	const utf8 = new TextDecoder('utf-8', { fatal: true });
	if (encoding === '7bit') return body;
	if (encoding === 'base64') {
		must(/^([A-Za-z0-9+/]{4}|\r\n)*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(\r\n)*$/.test(body), 'base64');
		return utf8.decode(Buffer.from(body, 'base64'));
	}
	must(encoding === 'quoted-printable', `an encoding that is known, and not ${encoding}`);
	for (const line of body.split('\r\n'))
		must(line.length <= 76 && !/[ \t]$/.test(line), 'lines of quoted-printable (RFC 2045 section 6.7)');
	must(!/=(?!\r\n|[0-9A-F]{2})/.test(body), 'quoted-printable');
	const bytes = body
		.replaceAll('=\r\n', '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return utf8.decode(Buffer.from(bytes, 'latin1'));
}

function must(condition: boolean, wanted: string): void {
	if (!condition) throw new Error(`Wanted ${wanted}.`);
}
