/** Returns enough of an id to tell entries apart: its end, because ids of the same minute begin alike (RFC 9562 section 5.7). */
export const shortId = (id: string) => id.slice(-8);
