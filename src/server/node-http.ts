/**
 * `node:http`, without what an `import` of it would load: that reads every name the module exports, and one of them, `WebSocket`,
 * brings a whole client with it, for a third of the time that the server takes to start.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
