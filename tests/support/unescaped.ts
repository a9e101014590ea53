const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** HTML as text, as far as characters are escaped in it. */
export const unescaped = (html: string) => html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name]!);
