// The OpenAPI document: in step with the contract, valid, clean under a linter, and true to the tables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { renderOpenapi } from '../../../bin/openapi/write.ts';
import { ERROR_CODES } from '../../../core/contract/error-codes.ts';
import { EXPOSED_HEADERS } from '../../../core/contract/headers.ts';

const committed = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
const document = JSON.parse(committed) as {
  openapi: string;
  paths: Record<string, { post: { responses: Record<string, unknown> } }>;
  components: {
    headers: Record<string, unknown>;
    responses: Record<
      string,
      {
        headers: Record<string, unknown>;
        content: Record<
          string,
          {
            schema: { properties: { code: { examples: string[] } } };
            examples: Record<string, { value: { statusCode: number; code: string } }>;
          }
        >;
      }
    >;
  };
};
const errorOf = (status: number) =>
  document.components.responses[`Error${status}`]?.content['application/json'];

describe('docs/openapi.json', () => {
  it('is what `npm run build:openapi` writes', () => {
    expect(committed).toBe(renderOpenapi());
  });

  it('is OpenAPI 3.1 with the routes of the service', () => {
    expect(document.openapi).toBe('3.1.1');
    expect(Object.keys(document.paths)).toEqual([
      '/{organization}/{neuron}',
      '/{organization}/{neuron}/feedback',
      '/{organization}/{neuron}/{revision}',
      '/v1/{organization}/{neuron}/chat/completions',
      '/v1/{organization}/{neuron}/embeddings',
      '/v1/{organization}/{neuron}/responses',
      '/v1/{organization}/{neuron}/messages',
      '/v1/{organization}/{neuron}/v1/messages',
      '/v1/{organization}/{neuron}/messages/count_tokens',
      '/v1/{organization}/{neuron}/v1/messages/count_tokens',
      '/v1/{organization}/{neuron}/models',
      '/v1/{organization}/{neuron}/models/{model}',
      '/v1/{organization}/{neuron}/v1/models',
      '/v1/{organization}/{neuron}/v1/models/{model}',
      '/v1/{organization}/chat/completions',
      '/v1/{organization}/embeddings',
      '/v1/{organization}/responses',
      '/v1/{organization}/messages',
      '/v1/{organization}/v1/messages',
      '/v1/{organization}/messages/count_tokens',
      '/v1/{organization}/v1/messages/count_tokens',
      '/v1/{organization}/models',
      '/v1/{organization}/models/{model}',
      '/v1/{organization}/v1/models',
      '/v1/{organization}/v1/models/{model}',
      '/v1/{organization}/mcp',
    ]);
    const runs = ['/{organization}/{neuron}', '/{organization}/{neuron}/{revision}'];
    for (const { post } of runs.flatMap((path) => document.paths[path] ?? []))
      expect(Object.keys(post.responses)).toEqual([
        '200',
        '400',
        '401',
        '403',
        '404',
        '409',
        '422',
        '429',
        '500',
        '503',
      ]);
  });

  it('has nothing to say against it by the linter, every recommended rule being an error or a warning', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // No neuron can have a slug that is a part of these paths (RESERVED_NEURON_SLUGS).
      rules: { 'no-ambiguous-paths': 'off' },
    });
    const problems = await lintFromString({ source: committed, absoluteRef: '/openapi.json', config });
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([]);
  });

  it('is checked by that linter at all', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = committed.replace('"operationId": "execute",', '');
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId }) => ruleId)).toContain('operation-operationId');
  });

  it('names every code of every status', () => {
    for (const [code, { status }] of Object.entries(ERROR_CODES))
      expect(errorOf(status)?.schema.properties.code.examples).toContain(code);
  });

  it('shows each error below its status', () => {
    for (const status of [400, 401, 403, 404, 422, 429, 500, 503]) {
      const examples = Object.entries(errorOf(status)?.examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const [code, { value }] of examples) expect(value).toMatchObject({ statusCode: status, code });
    }
  });

  it('describes every header that a page may read', () => {
    const described = Object.keys(document.components.headers);
    expect(described.toSorted()).toEqual(EXPOSED_HEADERS.toSorted());
  });

  it('promises Retry-After with 409, 429 and 503 alone, RateLimit with 429, Idempotency-Replayed with what is kept, and WWW-Authenticate with 401', () => {
    const headersOf = (status: number) =>
      Object.keys(document.components.responses[`Error${status}`]?.headers ?? {});
    expect([400, 403, 404, 500].flatMap(headersOf)).toEqual(Array(4).fill('X-Execution-Id'));
    expect(headersOf(401)).toEqual(['X-Execution-Id', 'WWW-Authenticate']);
    expect(headersOf(409)).toEqual(['X-Execution-Id', 'Retry-After']);
    expect(headersOf(422)).toEqual(['X-Execution-Id', 'Idempotency-Replayed']);
    expect(document.components.responses['Success']?.headers).toHaveProperty('Idempotency-Replayed');
    expect(headersOf(503)).toEqual(['X-Execution-Id', 'Retry-After']);
    expect(headersOf(429)).toEqual(['X-Execution-Id', 'Retry-After', 'RateLimit-Policy', 'RateLimit']);
  });
});
