// Renders a neutral answer as the result of a REST API proxy integration.
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Answer } from '../../core/surfaces/surface.ts';

export function toProxyResult(answer: Answer): APIGatewayProxyResult {
  return { statusCode: answer.status, headers: { ...answer.headers }, body: answer.body };
}
