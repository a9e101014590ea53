/**
 * The socket that systemd listens on for us, by the protocol of sd_listen_fds(3): it stays open while we are restarted, so that no
 * client is refused meanwhile. Undefined: we have to listen ourselves.
 */
export function inheritedSocket({ LISTEN_PID, LISTEN_FDS } = process.env): { fd: number } | undefined {
	return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1' ? { fd: 3 } : undefined;
}
