/** A lead that passes; `fields` come on top. */
export const leadOf = (fields: Record<string, string> = {}) => ({
	name: 'Ana Ruiz',
	clinic: 'Clínica Sol',
	email: 'ana@clinicasol.example',
	consent: 'on',
	...fields,
});

/** Sends such a lead as a program does. */
export const postLead = (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/contact`, {
		method: 'POST',
		body: JSON.stringify(leadOf(fields)),
		headers: { 'content-type': 'application/json', ...headers },
	});
