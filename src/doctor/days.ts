/** In milliseconds. */
const DAY = 86_400_000;

/** In days: how early to warn that something expires. */
export const EXPIRY_NOTICE = 30;

export const daysUntil = (end: Date) => Math.floor((end.getTime() - Date.now()) / DAY);

export const remaining = (days: number) => (days < 0 ? 'it has ended' : `${days} ${days === 1 ? 'day' : 'days'} left`);
