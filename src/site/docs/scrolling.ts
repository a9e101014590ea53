/** Makes tables stops of the keyboard only while they are too wide for their place. Without this script each is one. */
export function watchWidth(page: HTMLElement): void {
	const observer = new ResizeObserver((seen) => {
		for (const { target } of seen) setStop(target as HTMLElement, target.scrollWidth > target.clientWidth);
	});
	for (const table of page.querySelectorAll('.scroll')) observer.observe(table);
}

function setStop(table: HTMLElement, scrolls: boolean): void {
	if (scrolls) table.tabIndex = 0;
	else table.removeAttribute('tabindex');
}
