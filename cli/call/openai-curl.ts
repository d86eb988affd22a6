// `neuron call --openai`: the call of a client of OpenAI's interface, as a line for a shell.
import type { NeuronTarget } from '../session/target.ts';

/** What is asked for. */
export interface OpenaiCall {
  readonly input: string;
  readonly stream: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Asks for a completion of one text. The key comes from the shell's environment, so that the line holds no secret. */
export function renderOpenaiCurl(
  baseUrl: string,
  { organization, neuron }: NeuronTarget,
  { input, stream, idempotencyKey }: OpenaiCall,
): string {
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/${organization}/${neuron}/chat/completions`;
  const body = {
    model: `${organization}/${neuron}`,
    messages: [{ role: 'user', content: input }],
    ...(stream && { stream }),
  };
  return [
    `curl ${stream ? '-sN' : '-s'} ${quote(url)}`,
    `-H "authorization: Bearer $NEURON_API_KEY"`,
    `-H 'content-type: application/json'`,
    ...(idempotencyKey === undefined ? [] : [`-H ${quote(`idempotency-key: ${idempotencyKey}`)}`]),
    `-d ${quote(JSON.stringify(body))}`,
  ].join(' ');
}

/** As one word of a POSIX shell, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
