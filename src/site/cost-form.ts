import { type CostData, costOf } from './cost.ts';

/** Lets readers estimate the cost of their own calls, in the place of a table of examples. */
export function estimateCost(cost: HTMLElement): void {
	const { rates, format } = JSON.parse(cost.dataset['cost']!) as CostData;
	const inputs = [...cost.querySelectorAll('input')];
	const show = () => {
		if (!inputs.every((input) => input.checkValidity())) return;
		const [calls = 0, minutes = 0] = inputs.map((input) => input.valueAsNumber);
		const { format: write } = new Intl.NumberFormat(...format);
		// As in the table, the mark keeps `$` of `US$` in its place.
		const mark = document.dir === 'rtl' ? '\u200e' : '';
		const amounts = costOf(calls, minutes, rates).map((amount) => write(amount) + mark);
		const values = [...[minutes, calls].map((number) => number.toLocaleString(format[0])), ...amounts];
		for (const [index, output] of cost.querySelectorAll('output').entries()) output.value = values[index]!;
	};
	cost.querySelector<HTMLElement>('.numbers')!.hidden = false;
	for (const example of cost.querySelectorAll('tbody tr + tr')) example.remove();
	cost.addEventListener('input', show);
	show();
}
