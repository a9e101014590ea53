/** A function that only answers. */
export default { fetch: () => Promise.resolve(Response.json({ ok: true })) };
