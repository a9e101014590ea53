import type { ExplorerSettings } from './explorer-view.ts';

const place = document.querySelector<HTMLElement>('#explorer')!;
const start = place.querySelector<HTMLElement>('.explorer-start')!;
const button = start.querySelector('button')!;
const status = start.querySelector('p')!;
const settings = JSON.parse(place.dataset['settings']!) as ExplorerSettings & Record<'loading' | 'failed', string>;

button.addEventListener('click', () => void load());
// Whoever follows a link into the reference has asked for it.
if (location.hash !== '') void load();

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
