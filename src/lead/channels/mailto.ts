/** The link that writes to an address (RFC 6068 section 2). */
export const mailto = (address: string): string => `mailto:${address.split('@').map(encodeURIComponent).join('@')}`;
