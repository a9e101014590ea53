const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Returns HTML as text, with its escaped characters restored. */
export const unescaped = (html: string) => html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name]!);
