/** Creates an element with these properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	properties: Partial<HTMLElementTagNameMap[Name]> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}
