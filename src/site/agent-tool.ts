import { fillIn, textFieldsOf } from './visit.ts';

/**
 * Offers the browser's agent one tool, which fills in the form. It knows the fields that people write in, and no other: it can
 * neither agree nor send. @param show called once something is filled in
 */
export function offerTool(form: HTMLFormElement, show: () => void): void {
	// WebMCP (webmachinelearning.github.io/webmcp) is still changing, and most browsers have none of it.
	const { modelContext } = document as { modelContext?: { registerTool(tool: object): unknown } };
	const properties = Object.fromEntries(
		textFieldsOf(form).map((field) => {
			const values = Array.from(field.querySelectorAll('option'), ({ value }) => value).filter(Boolean);
			const description = field.labels![0]!.textContent.trim();
			return [field.name, { type: 'string', description, ...(values.length > 0 && { enum: values }) }];
		}),
	);
	modelContext?.registerTool({
		name: 'fill_enquiry',
		description: 'Fills in what is empty in this form. Only the person may agree and send.',
		inputSchema: { type: 'object', properties },
		async execute(input: Record<string, string> = {}) {
			const filled = fillIn(form, new URLSearchParams(input));
			if (filled.length > 0) show();
			return `Filled: ${filled.join(', ') || 'nothing'}. Only the person may agree and send.`;
		},
	});
}
