// In a function's process: loads the handler that the template names, as Lambda's Node.js runtime does.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Lambda calls it with the event and the context, and with a stream between the two if it is marked. */
export type Handler = (...values: unknown[]) => unknown;

/** The mark of `awslambda.streamifyResponse` (open-source runtime interface client). */
export const STREAMING_MARK = Symbol.for('aws.lambda.runtime.handler.streaming');
export const HIGH_WATER_MARK = Symbol.for('aws.lambda.runtime.handler.streaming.highWaterMark');

/** An error whose `name` Lambda shows as `errorType`. */
export function runtimeError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name: `Runtime.${name}` });
}

/**
 * Loads `folder/file.export`.
 * @param taskRoot absolute folder of the bundle
 * @param handler for example `index.handler` or `dist/index.nested.handler`
 * @throws Error named `Runtime.MalformedHandlerName`, `Runtime.ImportModuleError`, `Runtime.UserCodeSyntaxError`,
 *   `Runtime.HandlerNotFound` or `Runtime.CallbackHandlerDeprecated`, or an error of the bundle itself
 */
export async function loadHandler(taskRoot: string, handler: string): Promise<Handler> {
  if (handler.includes('..')) {
    throw runtimeError('MalformedHandlerName', `'${handler}' is not a valid handler name.`);
  }
  const file = basename(handler);
  const dot = file.indexOf('.');
  if (dot < 1) throw runtimeError('MalformedHandlerName', 'Bad handler');
  const path = resolve(taskRoot, handler.slice(0, handler.length - file.length), file.slice(0, dot));
  const loaded = await loadModule(path, taskRoot);
  const names = file.slice(dot + 1).split('.');
  const found = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], loaded);
  if (typeof found !== 'function') {
    throw runtimeError(
      'HandlerNotFound',
      `${handler} is ${found === undefined ? 'undefined or not exported' : 'not a function'}`,
    );
  }
  rejectCallback(found as Handler);
  return found as Handler;
}

// From Node.js 24 on, Lambda runs no handler that takes a callback (Lambda Developer Guide, "Define Lambda function
// handler in Node.js"). The open-source runtime interface client recognizes them like this.
function rejectCallback(handler: Handler): void {
  const isAsync = handler.constructor.name === 'AsyncFunction';
  if (handler.length !== 3 || isAsync || STREAMING_MARK in handler) return;
  throw runtimeError(
    'CallbackHandlerDeprecated',
    'AWS Lambda has removed support for callback-based function handlers starting with Node.js 24.',
  );
}

async function loadModule(path: string, taskRoot: string): Promise<unknown> {
  try {
    const requireHere = createRequire(join(taskRoot, 'bootstrap.js'));
    const isModule = existsSync(`${path}.js`) && isModulePackage(dirname(path));
    if (existsSync(`${path}.js`) && !isModule) return requireHere(`${path}.js`);
    for (const file of [`${path}.js`, `${path}.mjs`]) {
      if (existsSync(file)) return await import(pathToFileURL(file).href);
    }
    return requireHere(existsSync(`${path}.cjs`) ? `${path}.cjs` : path);
  } catch (error) {
    throw nameLoadError(error);
  }
}

function nameLoadError(error: unknown): unknown {
  if (error instanceof SyntaxError) return runtimeError('UserCodeSyntaxError', String(error));
  const code = (error as { code?: unknown } | null)?.code;
  const missing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
  return missing ? runtimeError('ImportModuleError', String(error)) : error;
}

// The nearest package.json decides whether `.js` is an ES module; a node_modules folder ends the search.
function isModulePackage(folder: string): boolean {
  if (folder.endsWith('/node_modules')) return false;
  const file = join(folder, 'package.json');
  if (existsSync(file)) {
    return (JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown } | null)?.type === 'module';
  }
  const parent = dirname(folder);
  return parent === folder ? false : isModulePackage(parent);
}
