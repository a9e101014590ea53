import { setServers } from 'node:dns';

/** Nothing listens there: no test asks the network for a name. */
setServers(['127.0.0.1:1']);
