// The text of `npm start` when the service is ready: where it is, and calls to try.

export interface ReadyFacts {
  readonly url: string;
  readonly dataFolder: string;
  readonly dynamodbUrl: string;
  /** `examples`: those of this repository, perhaps beside others. */
  readonly applied: 'nothing' | 'examples' | 'settings';
}

/** Text for the terminal before the last line, `ready URL`. */
export function renderReady({ url, dataFolder, dynamodbUrl, applied }: ReadyFacts): string {
  const command = `npx neuron --local${dataFolder === '.local' ? '' : `=${dataFolder}`}`;
  const calls = {
    nothing: '',
    examples: `
Try it:
  curl -s -X POST ${url}/acme/hello -H 'content-type: application/json' -d '{"input":"Hello"}'
  ${command} logs acme
`,
    settings: `
Try it, with a neuron that the first command lists:
  ${command} list
  ${command} call ORGANIZATION/NEURON --input Hello
`,
  }[applied];
  return `
Neuron Execution Service on ${url}
Data in ${dataFolder}, function logs in ${dataFolder}/logs
Tables on ${dynamodbUrl} (for programs of this machine; web pages are refused)
Look at it in a browser: ${command} console
${calls}`;
}
