import type { Copy } from '../facts/words.ts';
import { fillWords, localeOf } from '../facts/language.ts';

export type NoticeKind = keyof Copy['notices'];
/** The kinds that the form's script shows: the others are for pages that the server answers. */
export type ScriptNoticeKind = Exclude<NoticeKind, 'unread' | 'turnedAway'>;

/** The words and addresses of the form's script. They are data on the form: text browsers would print a `<template>`. */
export interface FormWords extends Pick<Copy, 'sending' | 'stillSending' | 'sendAgain' | 'later' | 'filled' | 'meant'> {
	/** The language of these words: a browser that translates the page changes that of the document, even to `auto`. */
	language: string;
	notices: Pick<Copy['notices'], ScriptNoticeKind>;
	errorTitle: string;
	email: string;
	/** The longest body, in bytes. */
	bodyLimit: number;
	/** How long to wait for an answer, in seconds. */
	patience: number;
	mistypedScript: string;
	thanks: string;
}

/** Returns true if the server may accept the same message at a second try. */
export const isWorthAnother = (kind: NoticeKind): boolean => ['unavailable', 'limited', 'offline'].includes(kind);

/** Returns the text of a notice with the time to wait in seconds, or with `later` where that is not known. */
export const noticeText = (text: string, later: string, language: string, wait?: number): string =>
	fillWords(text, { when: wait ? waitingTime(wait, language) : later });

/** Returns a text such as `in 5 minutes`, rounded up: a visitor who comes back then is not too early. */
function waitingTime(seconds: number, language: string): string {
	const minutes = Math.ceil(seconds / 60);
	const [count, unit] = minutes < 100 ? [minutes, 'minute' as const] : [Math.ceil(minutes / 60), 'hour' as const];
	return new Intl.RelativeTimeFormat(localeOf(language)).format(count, unit);
}
