/** Returns true if a URL leads to this machine and nowhere else (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
