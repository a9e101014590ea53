/** In pixels from the top of the window: the reader is in the section of the last heading above this line. */
const READ = 120;

/** Marks the current heading in the outline, and keeps it in sight there; closes the outline once it has been used. */
export function markCurrentHeading(page: HTMLElement): void {
	const outline = page.querySelector<HTMLElement>('.outline');
	if (!outline) return;
	// The outline also lists headings that only another state of the facts shows.
	const links = [...outline.querySelectorAll('a')].filter(headingOf);
	const headings = links.map((link) => headingOf(link)!);
	let marked: HTMLElement | undefined;

	const mark = () => {
		const current = links[currentOf(headings)];
		if (current === marked) return;
		marked?.removeAttribute('aria-current');
		current?.setAttribute('aria-current', 'location');
		scrollIntoSight(outline, current);
		marked = current;
	};
	// In a narrow window the open outline covers the text.
	for (const link of links) link.addEventListener('click', () => link.closest('details')!.removeAttribute('open'));
	addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
	mark();
}

const headingOf = ({ hash }: HTMLAnchorElement) => document.getElementById(decodeURIComponent(hash.slice(1)));

/** Returns the last heading above the line or, at the end of the page, the target of the address or else the last heading. */
function currentOf(headings: HTMLElement[]): number {
	const { scrollHeight, clientHeight } = document.documentElement;
	if (scrollHeight > clientHeight && scrollY + clientHeight > scrollHeight - 2) {
		const wanted = headings.findIndex((heading) => heading.matches(':target') && topOf(heading) >= 0);
		return wanted < 0 ? headings.length - 1 : wanted;
	}
	return headings.findLastIndex((heading) => topOf(heading) < READ);
}

const topOf = (heading: Element) => heading.getBoundingClientRect().top;

/** Scrolls a list that is longer than the window, so that a link is in the middle. */
export function scrollIntoSight(list: HTMLElement, link: HTMLElement | null | undefined): void {
	list.scrollTo({ top: (link?.offsetTop ?? 0) - list.clientHeight / 2 });
}
