/** How many leads each client may send in how many minutes, where the operator of a server has set nothing else. */
export const defaultRateLimit = { leads: 20, minutes: 10 };
