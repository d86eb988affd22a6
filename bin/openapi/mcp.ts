// The route of the Model Context Protocol in the OpenAPI document: its messages are JSON-RPC.
import type { Route } from '../../core/contract/routes.ts';
import { json, type OpenapiObject, object, ref } from './headers.ts';

/** Statuses of errors, as far as a message is not answered with 200 and an error in it. */
const ERRORS = ['400', '401', '403', '404', '405', '429', '500', '503'] as const;

export function mcpOperation(route: Route): OpenapiObject {
  return {
    operationId: route.name,
    tags: ['mcp'],
    summary: 'Answers a message of the Model Context Protocol: neurons are its tools',
    // API keys only.
    security: [{ bearer: [] }],
    parameters: route.pathParameters.map((name) => ref('parameters', name)),
    requestBody: { required: true, content: json(ref('schemas', 'McpMessage')) },
    responses: {
      '200': {
        description: 'A result, or an error of the protocol.',
        content: json(ref('schemas', 'McpMessage')),
      },
      '202': { description: 'A notification was taken.' },
      ...Object.fromEntries(
        ERRORS.map((status) => [
          status,
          { description: "An error as a message, or API Gateway's own.", content: json({ type: 'object' }) },
        ]),
      ),
    },
  };
}

export const MCP_SCHEMAS: OpenapiObject = {
  McpMessage: object(
    ['jsonrpc'],
    {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { type: ['string', 'integer', 'null'] },
      method: { type: 'string' },
      params: { type: 'object' },
      result: { type: 'object' },
      error: { type: 'object' },
    },
    'One message of JSON-RPC 2.0 (modelcontextprotocol.io/specification).',
  ),
};
