import type { ExplorerSettings } from './explorer-view.ts';

const place = document.querySelector<HTMLElement>('#explorer')!;
const start = place.querySelector<HTMLElement>('.explorer-start')!;
const button = start.querySelector('button')!;
const status = start.querySelector('p')!;
const settings = JSON.parse(place.dataset['settings']!) as ExplorerSettings & Record<'loading' | 'failed', string>;

button.addEventListener('click', () => void load());
// A link into the reference loads it at once.
if (location.hash !== '') void load();
else if (isCheap()) addEventListener('load', () => whenIdle(() => void load()));

/** Loads the view once. Call it again after a failure. */
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

/** Returns true if the page may load the view unasked: the window has room, and the connection seems neither slow nor metered. */
function isCheap(): boolean {
	const { effectiveType = '4g', saveData = false } = navigator.connection ?? {};
	return effectiveType === '4g' && !saveData && matchMedia('(min-width: 64rem)').matches;
}

/** Waits until the browser is idle; some browsers cannot tell. */
const whenIdle = (work: () => void) =>
	'requestIdleCallback' in globalThis ? requestIdleCallback(work, { timeout: 5000 }) : setTimeout(work, 1000);

declare global {
	interface Navigator {
		/** Network Information API; absent in some browsers. */
		connection?: { effectiveType?: string; saveData?: boolean };
	}
}
