// What a check of a deployment is: one claim of docs/verified.md, tried once.
import type { Answer, CallOptions } from '../e2e/support/call.ts';
import type { CommandResult } from '../e2e/support/command.ts';

/** A deployment, and what the caller of the checks may do with it. */
export interface Deployment {
  readonly url: string;
  /** True for a local run: what only AWS does cannot be tried. */
  readonly isLocal: boolean;
  readonly transferMode: 'STREAM' | 'BUFFERED';
  /** How many calls must each have their log entry. */
  readonly calls: number;
  /** Take part in checks that wait half a minute. */
  readonly slow: boolean;
  /** Take concurrency from both functions for a moment: nobody else is answered meanwhile. */
  readonly interrupt: boolean;
  readonly stackName: string | undefined;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Runs `neuron WORDS…` against it. */
  neuron(words: readonly string[]): Promise<CommandResult>;
}

/** `ok` holds what was seen, so that a page can be corrected by it. */
export type Outcome = { readonly ok: string } | { readonly failed: string } | { readonly notTried: string };

/** One check; docs/verified.md names it. */
export interface Check {
  readonly name: string;
  readonly claim: string;
  run(deployment: Deployment): Promise<Outcome>;
}

/** Compares what an answer is with what it should be. */
export function expectAnswer(answer: Answer, status: number, code?: string): Outcome {
  const seen = `${answer.status} ${answer.text.slice(0, 200)}`;
  if (answer.status !== status) return { failed: `expected ${status}, got ${seen}` };
  if (code !== undefined && codeOf(answer) !== code) return { failed: `expected code ${code}, got ${seen}` };
  return { ok: code === undefined ? String(status) : `${status} ${code}` };
}

/** The error code of an answer in the shape of the contract; undefined for any other body. */
export function codeOf(answer: Answer): string | undefined {
  try {
    const { code } = answer.json();
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}
