/** All supported chat services: each file beside this one is one of them. */
export { discord } from './discord.ts';
export { googleChat } from './google-chat.ts';
export { mattermost } from './mattermost.ts';
export { slack } from './slack.ts';
export { teams } from './teams.ts';
export { telegram } from './telegram.ts';
