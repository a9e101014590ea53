/** Scrolls a list that is longer than the window, so that a link is in the middle. */
export function scrollIntoSight(list: HTMLElement, link: HTMLElement | null | undefined): void {
	list.scrollTo({ top: (link?.offsetTop ?? 0) - list.clientHeight / 2 });
}
