/** Says on the thanks page what was sent from this tab, and keeps the general words where nothing was. */
export function showSent(words: HTMLElement): void {
	let sent: Record<string, string>;
	try {
		sent = JSON.parse(sessionStorage['sent'] ?? '{}');
	} catch {
		return;
	}
	if (!sent['reference']) return;
	const { title, text } = words.dataset as Record<'title' | 'text', string>;
	words.querySelector('h1')!.textContent = title;
	words.querySelector('p')!.textContent = text.replace(/\{(\w+)\}/g, (_, name: string) => sent[name] ?? '');
}
