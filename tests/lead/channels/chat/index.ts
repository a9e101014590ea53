/** The facts about every chat service: each file beside this one, except the tests. */
export { discord } from './discord.ts';
export { googleChat } from './google-chat.ts';
export { mattermost } from './mattermost.ts';
export { slack } from './slack.ts';
export { teams } from './teams.ts';
export { telegram } from './telegram.ts';
