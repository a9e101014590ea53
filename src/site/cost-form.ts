import { type CostData, costOf } from './cost.ts';

/** Lets readers estimate the cost of their own calls, in the place of a table of examples. */
export function estimateCost(cost: HTMLElement): void {
	const { rates, format, amount, caption } = JSON.parse(cost.dataset['cost']!) as CostData;
	const inputs = [...cost.querySelectorAll('input')];
	const [row, ...others] = cost.querySelector('tbody')!.rows;
	const show = () => {
		if (!inputs.every((input) => input.checkValidity())) return;
		const [calls = 0, minutes = 0] = inputs.map((input) => input.valueAsNumber);
		cost.querySelector('p')!.textContent = caption.replace('{minutes}', String(minutes));
		const { format: write } = new Intl.NumberFormat(...format);
		const texts = [calls, ...costOf(calls, minutes, rates).map((value) => amount.replace('{amount}', write(value)))];
		for (const [index, cell] of [...row!.cells].entries()) cell.textContent = String(texts[index]);
	};
	cost.querySelector<HTMLElement>('.numbers')!.hidden = false;
	for (const other of others) other.remove();
	cost.addEventListener('input', show);
	show();
}
