/** Every webhook that we speak: a new one is a file and a line here. */
export { discord } from './discord.ts';
export { googleChat } from './google-chat.ts';
export { json } from './json.ts';
export { mattermost } from './mattermost.ts';
export { slack } from './slack.ts';
export { teams } from './teams.ts';
export { telegram } from './telegram.ts';
