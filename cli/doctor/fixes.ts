// The commands that end a finding of `neuron doctor`, or show what does.
import { keepTarget, type TargetOptions } from '../output/command-line.ts';

/** Programs whose command lines a remedy may hold: a line of its own, or in backticks. */
const COMMAND_LINE = /^(?:neuron|aws|npm|npx) \S/;

/** Commands to begin with, for a finding whose remedy holds no command. */
const FIRST_LOOK: Readonly<Record<string, readonly string[]>> = {
  versions: ['npm ci'],
  credentials: ['aws sts get-caller-identity', 'aws sso login'],
  stack: ['aws cloudformation describe-stacks'],
  'service and clock': ['neuron maintenance status', 'timedatectl set-ntp true'],
};
const ANY_OTHER = ['aws sts get-caller-identity'];

/** A check `provider ORG/NAME` is about the settings of an organization. */
function showProvider(check: string): readonly string[] | undefined {
  const organization = /^provider ([a-z0-9-]+)\//.exec(check)?.[1];
  return organization === undefined ? undefined : [`neuron show ${organization}`];
}

/** At least one command, with the options that lead to the same stack. Empty for a check without a remedy. */
export function findFixes(
  check: string,
  remedy: string | null,
  target: Partial<TargetOptions>,
): readonly string[] {
  if (remedy === null) return [];
  const spans = [...remedy.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  const found = [...remedy.split('\n'), ...spans].filter((line) => COMMAND_LINE.test(line));
  const commands = found.length > 0 ? found : (FIRST_LOOK[check] ?? showProvider(check) ?? ANY_OTHER);
  return [...new Set(commands.map((line) => keepTarget(`\`${line}\``, target).slice(1, -1)))];
}
