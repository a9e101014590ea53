/** Every chat service that we speak to: each file beside this one is such a service. */
export { discord } from './discord.ts';
export { googleChat } from './google-chat.ts';
export { mattermost } from './mattermost.ts';
export { slack } from './slack.ts';
export { teams } from './teams.ts';
export { telegram } from './telegram.ts';
