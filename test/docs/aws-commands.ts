// The `aws dynamodb` commands of a page, run as the AWS CLI would run them.
import { ExecuteStatementCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What a command found. */
export type Items = readonly Record<string, unknown>[];

/** Every `aws dynamodb …` of the document, lines joined, without what it is piped into. Quotes may span lines. */
export function awsCommands(document: string): readonly string[] {
  return [...document.matchAll(/^aws dynamodb (?:'[^']*'|\\\n|[^'\\\n])*/gm)].map(([text]) =>
    text.replaceAll('\\\n', ' ').replace(/ \| .*/, ''),
  );
}

/** An option's value as the SDK takes it: JSON where it is JSON. */
function parse(command: string): { operation: string; input: Record<string, unknown> } {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [, , operation = '', ...rest] = words;
  const input: Record<string, unknown> = {};
  for (let at = 0; at < rest.length; at += 1) {
    const name = (rest[at] ?? '').replace(/^--/, '');
    if (name === 'no-scan-index-forward') {
      input['ScanIndexForward'] = false;
      continue;
    }
    at += 1;
    const value = rest[at] ?? '';
    // Of the CLI itself, not of the service.
    if (name === 'query' || name === 'output') continue;
    const member = name.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    input[member] = /^[{[]/.test(value) ? JSON.parse(value) : value;
  }
  return { operation, input };
}

export async function runAws(command: string, client: DynamoDBDocumentClient): Promise<Items> {
  const { operation, input } = parse(command);
  if (operation === 'query') return (await client.send(new QueryCommand(input as never))).Items ?? [];
  if (operation === 'execute-statement')
    return (await client.send(new ExecuteStatementCommand(input as never))).Items ?? [];
  if (operation !== 'get-item') throw new Error(`no way to run ${operation}`);
  const { Item: item } = await client.send(new GetItemCommand(input as never));
  return item === undefined ? [] : [item];
}
