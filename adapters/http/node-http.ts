// Node's module for HTTP, without what an `import` of it loads besides.

/**
 * An `import` reads every export of a built-in module. Of `node:http` one is the class `WebSocket`, whose reading loads all of
 * undici, Node's other HTTP client: a fifth of what the execution function took to load (Node 24). `require` reads none.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
