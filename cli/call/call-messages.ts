// Reads the conversation of `neuron call` from a file. The service validates it; here it only finds its place in the request.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CallNeuronOptions } from '../../client/src/index.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Terminal } from '../output/terminal.ts';

/** Members of a request body that a file may have. */
const MEMBERS = ['messages', 'tools', 'toolChoice', 'responseFormat', 'parameters', 'variables'] as const;

/** `input`, or the members of a conversation. */
export type CallInput = Pick<CallNeuronOptions, 'input' | (typeof MEMBERS)[number]>;

/** A list of messages, or an object with `messages` and other members. `-` is standard input. */
export async function readMessages(path: string, { stdin, folder }: Terminal): Promise<CallInput> {
  const text = path === '-' ? await stdin.readAll() : readFile(resolve(folder, path), path);
  const value = parse(text, path);
  if (Array.isArray(value)) return { messages: value } as CallInput;
  const members = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const unknown = members.find((member) => !MEMBERS.some((one) => one === member));
  if (!members.includes('messages') || unknown !== undefined) {
    throw usageFailure(
      unknown === undefined ? `${path} holds no messages.` : `${path} holds the unknown member ${unknown}.`,
      `It must be a JSON list of messages, or an object with ${MEMBERS.join(', ')}.`,
    );
  }
  return value as CallInput;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageFailure(`${path} is no JSON.`, 'It must be a list of messages in the shape of OpenAI.');
  }
}

function readFile(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : undefined;
    throw new CommandFailure({ what: `The messages in ${path} could not be read.`, why });
  }
}
