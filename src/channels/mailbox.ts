import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, syncFolder } from '../store/durable-folder.ts';
import { domainOf } from '../lead/email-address.ts';
import type { Channel } from './channel.ts';
import { mailOf } from './mail.ts';
import type { MailParties } from './routes.ts';

/**
 * Writes the mail that SMTP would send into a Maildir (https://cr.yp.to/proto/maildir.html), where any mail program can read it. The
 * first message makes the folder if it is missing. Only our own user may enter it.
 */
export function mailbox(folder: string, parties: MailParties): Channel {
	// Once the working folder is gone, Node.js tries for ever to make a relative path in it.
	const place = path.resolve(folder);
	return {
		name: 'mailbox',
		async send(message, signal) {
			const { createTransport } = await import('nodemailer');
			const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
			const mail = await composer.sendMail({ ...mailOf(message, parties), signal });
			const { tmp, fresh } = makeMaildir(place);
			// Time, unique part and host. The lead's id keeps the name the same, so each try replaces the last.
			const time = Math.floor(Date.parse(message.receivedAt) / 1000);
			const name = `${time}.${message.id}.${domainOf(parties.from.address)}`;
			// Another process may be writing the same mail at this moment.
			const part = path.join(tmp, `${name}.${process.pid}`);
			await writeFile(part, mail.message as Buffer, { mode: 0o600, flush: true, signal });
			await rename(part, path.join(fresh, name));
			syncFolder(fresh);
			return { ok: true };
		},
	};
}

/** Makes the folders of a Maildir that are missing. @returns those for mail under way, and for new mail */
export function makeMaildir(folder: string) {
	const [tmp, fresh, seen] = ['tmp', 'new', 'cur'].map((name) => path.resolve(folder, name)) as [string, string, string];
	for (const each of [tmp, fresh, seen]) makeFolder(each);
	return { tmp, fresh };
}
