// Chooses the stack that a command works on. A command needs only its outputs.
import {
  OPTIONAL_OUTPUTS,
  OUTPUT_DEFAULTS,
  OUTPUTS,
  type OutputValues,
} from '../../core/contract/outputs.ts';
import type { ProviderHosts } from '../../core/settings/provider-hosts.ts';
import { CommandFailure } from '../output/failure.ts';
import { hasService, rejectWithoutService } from './stack-status.ts';

const STACK_PREFIX = 'NeuronApi-';

export interface Stack {
  readonly name: string;
  readonly status?: string | undefined;
  readonly outputs: OutputValues;
  /** Address of the service, without a slash at its end. */
  readonly url: string;
  /** Undefined where the rules of the SDK decide. */
  readonly region: string | undefined;
  readonly profile: string | undefined;
  readonly local: LocalRun | undefined;
}

interface LocalRun {
  readonly folder: string;
  readonly dynamodb: string;
  readonly secretsmanager: string;
  /** Holds the output of each function as a file. */
  readonly logFolder: string;
}

/** The hosts that providers of the stack may have; undefined where it lists none. */
export function toProviderHosts({ outputs }: Pick<Stack, 'outputs'>): ProviderHosts | undefined {
  return (JSON.parse(outputs.providerHosts) as ProviderHosts | null) ?? undefined;
}

/** A stack with outputs that are not checked yet. */
export interface FoundStack {
  readonly name: string;
  /** Status of CloudFormation, such as `UPDATE_COMPLETE`; absent for a local run. */
  readonly status?: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Chooses by name, else the only stack whose name begins with `NeuronApi-`. Throws `CommandFailure` where there is none or more than one,
 * where it is not of this service, or where nothing runs in it. `where` completes "in …".
 */
export function chooseStack(
  found: readonly FoundStack[],
  name: string | undefined,
  where: string,
): Pick<Stack, 'name' | 'status' | 'outputs'> {
  const matching = found.filter((stack) =>
    name === undefined ? stack.name.startsWith(STACK_PREFIX) : stack.name === name,
  );
  // The remains of a failed first deployment do not compete with a stack that works.
  const running = matching.filter(({ status }) => hasService(status));
  const candidates = running.length > 0 ? running : matching;
  const [only, ...others] = candidates;
  if (only === undefined) throw notFound(found, name, where);
  if (others.length > 0) {
    throw new CommandFailure({
      what: `There are several stacks in ${where}: ${candidates.map((stack) => stack.name).join(', ')}.`,
      remedy: 'Choose one with --stack NAME.',
    });
  }
  rejectWithoutService(only.name, only.status);
  return { name: only.name, status: only.status, outputs: parseOutputs(only) };
}

function notFound(found: readonly FoundStack[], name: string | undefined, where: string): CommandFailure {
  const names = found.map((stack) => stack.name).filter((one) => one.startsWith(STACK_PREFIX));
  return new CommandFailure({
    what:
      name === undefined
        ? `No stack named ${STACK_PREFIX}… was found in ${where}.`
        : `No stack named ${name} was found in ${where}.`,
    why: names.length === 0 ? undefined : `Stacks found: ${names.join(', ')}.`,
    remedy:
      'Deploy one with `npx cdk deploy --all`, choose another with --stack, --region or --profile, or pass --local for a local run.',
  });
}

function parseOutputs(stack: FoundStack): OutputValues {
  const outputs: Readonly<Record<string, string | undefined>> = { ...OUTPUT_DEFAULTS, ...stack.outputs };
  const missing = Object.values(OUTPUTS).filter((output) => !outputs[output]);
  if (missing.length > 0) {
    throw new CommandFailure({
      what: `The stack ${stack.name} lacks the outputs ${missing.join(', ')}.`,
      why: 'It is not a stack of this service, or it was deployed by another release than this command.',
      remedy: 'Choose another with --stack, or deploy this release.',
    });
  }
  return Object.fromEntries(
    Object.entries({ ...OUTPUTS, ...OPTIONAL_OUTPUTS }).flatMap(([key, output]) => {
      const value = outputs[output];
      return value === undefined ? [] : [[key, value]];
    }),
  ) as OutputValues;
}
