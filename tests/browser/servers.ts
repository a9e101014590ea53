/** Where the production server listens, in three deployments. */
export const ports = {
	/** Delivers into a mailbox, and limits nobody. */
	delivering: 4590,
	/** Has no delivery configured. */
	undelivering: 4591,
	/** Takes one lead a day. */
	limiting: 4592,
};
