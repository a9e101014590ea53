import { amountIn } from '../facts/amount.ts';
import type { Service } from '../facts/schema.ts';
import { costOf } from './cost.ts';

/** Lets readers estimate the cost of their own calls, in the place of a table of examples. */
export function estimateCost(cost: HTMLElement): void {
	const prices = JSON.parse(cost.dataset['prices']!) as Service['prices'];
	const inputs = [...cost.querySelectorAll('input')];
	const [calls, minutes] = inputs;
	const caption = cost.querySelector('p')!;
	const [row, ...others] = cost.querySelector('tbody')!.rows;
	const show = () => {
		if (!inputs.every((input) => input.checkValidity())) return;
		caption.textContent = caption.dataset['words']!.replace('{minutes}', minutes!.value);
		const amounts = costOf(calls!.valueAsNumber, minutes!.valueAsNumber, prices);
		const texts = amounts.map((amount) => amountIn(document.documentElement.lang, amount, prices.currency));
		for (const [index, cell] of [...row!.cells].entries())
			cell.textContent = index === 0 ? calls!.value : cost.dataset['amount']!.replace('{amount}', texts[index - 1]!);
	};
	for (const other of others) other.remove();
	cost.addEventListener('input', show);
	show();
}
