/** In pixels from the top of the window: the reader is in the section of the last heading above this line. */
const READ = 120;

/** Keeps the page's row in the navigation in sight, marks the current heading in the outline, and closes the outline after use. */
export function markCurrentHeading(page: HTMLElement): void {
	const navigation = page.querySelector('.docs-nav ul')!;
	const row = navigation.querySelector<HTMLElement>('[aria-current]');
	navigation.scrollTo({ top: (row?.offsetTop ?? 0) - navigation.clientHeight * 0.8 });
	const outline = page.querySelector<HTMLElement>('.outline');
	if (!outline) return;
	const list = outline.querySelector('ul')!;
	const entries = [...outline.querySelectorAll('a')].map((link) => {
		const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))!;
		return { link, heading, top: () => heading.getBoundingClientRect().top };
	});
	const mark = () => {
		const { scrollHeight, clientHeight } = document.documentElement;
		const isAtEnd = scrollHeight > clientHeight && scrollY + clientHeight > scrollHeight - 2;
		// The last headings never reach the line.
		const last = entries.find(({ heading, top }) => heading.matches(':target') && top() >= 0) ?? entries.at(-1);
		const current = isAtEnd ? last : entries.findLast(({ top }) => top() < READ);
		if (current?.link.ariaCurrent) return;
		for (const { link } of entries) link.ariaCurrent = link === current?.link ? 'location' : null;
		list.scrollTo({ top: (current?.link.offsetTop ?? 0) - list.offsetTop - list.clientHeight / 2 });
	};
	// In a narrow window the open outline covers the text.
	for (const { link } of entries) link.addEventListener('click', () => link.closest('details')!.removeAttribute('open'));
	addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
	mark();
}
