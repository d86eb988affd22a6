// The surfaces by the name that routes have for them. The two that most requests use are loaded at start, each other one with its first request.
import { lazy } from '../async/lazy.ts';
import type { Route } from '../contract/routes.ts';
import { NATIVE } from './native/index.ts';
import { OPENAI } from './openai/index.ts';
import type { Surface } from './surface.ts';

type Name = Route['surface'];

const LOADS: Readonly<Record<Name, () => Promise<Surface>>> = {
  native: async () => NATIVE,
  openai: async () => OPENAI,
  responses: lazy(async () => (await import('./responses/index.ts')).RESPONSES),
  anthropic: lazy(async () => (await import('./anthropic/index.ts')).ANTHROPIC),
  mcp: lazy(async () => (await import('./mcp/index.ts')).MCP),
  embeddings: lazy(async () => (await import('./embeddings/index.ts')).EMBEDDINGS),
};

const loaded = new Map<Name, Surface>([
  ['native', NATIVE],
  ['openai', OPENAI],
]);

/** Makes a surface ready for `surfaceOf`. Throws `ServiceError` `internal` where its file cannot be loaded. */
export async function loadSurface(name: Name): Promise<void> {
  loaded.set(name, await LOADS[name]());
}

/** A surface that was loaded, as that of a request is before its first step. */
export function surfaceOf(name: Name): Surface {
  const surface = loaded.get(name);
  if (surface === undefined) throw new TypeError(`The surface "${name}" is not loaded`);
  return surface;
}
