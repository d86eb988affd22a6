// Node's HTTP module, loaded without undici.

/**
 * An `import` reads every export of a built-in module, and reading `WebSocket` of `node:http` loads all of undici, Node's other HTTP
 * client: a fifth of the execution function's load time (Node 24). This way reads none.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
