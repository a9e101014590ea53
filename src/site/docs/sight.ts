/** Scrolls a list, where it is longer than the window, so that one of its links is in the middle. */
export function bringIntoSight(list: HTMLElement, link: HTMLElement | null | undefined): void {
	list.scrollTo({ top: (link?.offsetTop ?? 0) - list.clientHeight / 2 });
}
