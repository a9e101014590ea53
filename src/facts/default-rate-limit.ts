/** The number of leads that each client may send in so many minutes, unless the operator sets another. */
export const defaultRateLimit = { leads: 20, minutes: 10 };
