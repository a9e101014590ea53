import type { ExplorerSettings } from './explorer-view.ts';

const place = document.querySelector<HTMLElement>('#explorer')!;
const start = place.querySelector<HTMLElement>('.explorer-start')!;
const button = start.querySelector('button')!;
const status = start.querySelector('p')!;
const settings = JSON.parse(place.dataset['settings']!) as ExplorerSettings & Record<'loading' | 'failed', string>;

button.addEventListener('click', () => void load());
// A link into the reference asks for it as well.
if (location.hash !== '') void load();
else if (isCheap()) addEventListener('load', () => whenIdle(() => void load()));

/** Loads the view once, and may be asked again after it failed. */
async function load(): Promise<void> {
	if (button.disabled) return;
	const view = place.querySelector<HTMLElement>('.explorer-view')!;
	const asked = document.activeElement === button;
	button.disabled = true;
	status.textContent = settings.loading;
	try {
		const { showExplorer } = await import('./explorer-view.ts');
		await showExplorer(view, settings);
		place.classList.add('explorer-ready');
		if (asked) view.focus({ preventScroll: true });
	} catch {
		button.disabled = false;
		status.textContent = settings.failed;
	}
}

/** Returns true if loading it unasked does no harm: the window has room for it, and nothing tells of a slow or metered connection. */
function isCheap(): boolean {
	const { effectiveType = '4g', saveData = false } = navigator.connection ?? {};
	return effectiveType === '4g' && !saveData && matchMedia('(min-width: 64rem)').matches;
}

/** Not every browser tells when it is idle. */
const whenIdle = (work: () => void) =>
	'requestIdleCallback' in globalThis ? requestIdleCallback(work, { timeout: 5000 }) : setTimeout(work, 1000);

declare global {
	interface Navigator {
		/** Network Information API; absent in some browsers. */
		connection?: { effectiveType?: string; saveData?: boolean };
	}
}
