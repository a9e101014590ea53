/**
 * `node:http`, but not by `import`: that reads every name the module exports, and one of them, `WebSocket`, loads a whole client.
 * To start would take 140 ms of processor time in place of 120.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
