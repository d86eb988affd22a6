// The surfaces by the name that routes have for them.
import type { Route } from '../contract/routes.ts';
import { ANTHROPIC } from './anthropic/index.ts';
import { EMBEDDINGS } from './embeddings/index.ts';
import { NATIVE } from './native/index.ts';
import { OPENAI } from './openai/index.ts';
import { RESPONSES } from './responses/index.ts';
import type { Surface } from './surface.ts';

export const SURFACES: Readonly<Record<Route['surface'], Surface>> = {
  native: NATIVE,
  openai: OPENAI,
  responses: RESPONSES,
  anthropic: ANTHROPIC,
  embeddings: EMBEDDINGS,
};
