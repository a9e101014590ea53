import { fillIn, textFieldsOf } from './visit.ts';

/** The part of WebMCP that we use (webmachinelearning.github.io/webmcp). It is still changing, and most browsers have none of it. */
interface ModelContext {
	registerTool(tool: {
		name: string;
		description: string;
		inputSchema: object;
		execute(input: Record<string, unknown> | null): Promise<string>;
	}): unknown;
}

/**
 * Offers the browser's agent one tool, which fills in the form. It knows the fields that people write in, and no other: it can
 * neither agree nor send. @param shown called once something is filled in
 */
export function offerTool(form: HTMLFormElement, shown: () => void): void {
	const { modelContext } = document as { modelContext?: ModelContext };
	if (!modelContext?.registerTool) return;
	const properties = Object.fromEntries(
		textFieldsOf(form).map(({ name, labels }) => [name, { type: 'string', description: labels![0]!.textContent.trim() }]),
	);
	const tool = {
		name: 'fill_enquiry',
		description:
			'Fills in the empty fields of this form with what the person has told you. It neither agrees nor sends: only the person may do that.',
		inputSchema: { type: 'object', properties, additionalProperties: false },
		async execute(input: Record<string, unknown> | null) {
			const texts = Object.entries(input ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
			const filled = fillIn(form, new URLSearchParams(texts));
			if (filled.length === 0) return 'Nothing was filled: only empty fields are. Ask the person to change the others.';
			shown();
			return `Filled: ${filled.join(', ')}. Only the person may agree and send.`;
		},
	};
	// Neither a refusal nor a change of the interface may keep the form from working.
	void Promise.try(() => modelContext.registerTool(tool)).catch(() => {});
}
