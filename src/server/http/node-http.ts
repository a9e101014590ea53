/**
 * `node:http`, but not by `import`: that reads every exported name, and one of them, `WebSocket`, loads a whole client.
 * The start would take 140 ms of processor time instead of 120.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
