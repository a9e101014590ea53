/** A function that does nothing but answer. */
export default { fetch: () => Promise.resolve(Response.json({ ok: true })) };
