// What `npm start` prints when the stack is ready: where it is, how to look at it, and calls to try.

/** Facts about the running stack. */
interface ReadyFacts {
  readonly url: string;
  readonly dataFolder: string;
  readonly dynamodbUrl: string;
  readonly applied: boolean;
}

/** Text for the terminal; the line `ready URL` is printed apart, as the last one. */
export function renderReady({ url, dataFolder, dynamodbUrl, applied }: ReadyFacts): string {
  const command = `npx neuron --local${dataFolder === '.local' ? '' : `=${dataFolder}`}`;
  const calls = applied
    ? `
Try it:
  curl -s -X POST ${url}/acme/hello -H 'content-type: application/json' -d '{"input":"Hello"}'
  ${command} logs acme
`
    : '';
  return `
Neuron Execution Service on ${url}
Data in ${dataFolder}, function logs in ${dataFolder}/logs
Tables on ${dynamodbUrl} (for programs of this machine; web pages are refused)
Look at it in a browser: ${command} console
${calls}`;
}
