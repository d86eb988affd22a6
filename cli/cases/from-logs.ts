// `neuron cases from-logs`: a document of tests from what callers sent, as far as the log has it in full.
import { InvalidArgumentError } from 'commander';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import type { LogOutcome } from '../../core/contract/log-entry.ts';
import { toIso } from '../../core/time/iso.ts';
import { NEURON, parseVersionId } from '../command/arguments.ts';
import { command, option } from '../command/command.ts';
import { parseSince, toPeriod } from '../logs/log-options.ts';
import { parseMoment } from '../logs/moment.ts';
import { CommandFailure } from '../output/failure.ts';
import { count } from '../output/print.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';
import { guardsOfLibrary, type ReadCases, readCases } from './read-cases.ts';

const DEFAULT_MS = 7 * 86_400_000;
const DEFAULT_CASES = 20;
const MAX_CASES = 500;
const OUTCOMES = ['success', 'stopped', 'failed'] as const satisfies readonly LogOutcome[];

export const casesFromLogs = command({
  name: 'from-logs',
  description: 'Writes cases of tests from what callers sent.',
  arguments: { neuron: NEURON },
  options: {
    since: option('--since <time>', 'how far back, such as 1d, or a start time (default: 7d)', parseSince),
    from: option('--from <time>', 'start time: yesterday, monday, 14:30, 2026-11-21, …', parseMoment),
    to: option('--to <time>', 'end time; a day or month is included', parseMoment),
    version: option('--of-version <id>', 'calls of this version alone', parseVersionId),
    outcome: option('--outcome <outcome>', 'calls with this outcome alone', OUTCOMES),
    limit: option('--cases <count>', `at most so many, the newest (1 to ${MAX_CASES})`, parseCases, {
      default: DEFAULT_CASES,
    }),
  },
  conflicts: [{ option: 'since', with: ['from'] }],
  help: 'Takes entries of `logging.bodies: full` alone, each text once, and redacts what the guards of the organization find in them. The cases have no assertions: write those.',
  async run({ neuron: target, since, from, to, version, outcome, limit }, { connect, out }) {
    const { store, logReader, clock } = await connect();
    const organization = await requireOrganization(store, target.organization);
    const neuron = await requireNeuron(store, organization, target.neuron);
    const range = from === undefined ? { since: since ?? DEFAULT_MS, to } : { from, to };
    const found = await readCases(
      {
        organization: organization.slug,
        organizationId: organization.id,
        neuronId: neuron.id,
        version,
        outcome,
        limit,
        ...toPeriod(range, clock.now()),
      },
      guardsOfLibrary(organization.document),
      { store, logReader },
    );
    const name = renderTarget(target);
    const { cases, keptUntilMs } = found;
    if (cases.length === 0) throw noCases(name, found);
    out.message(describeSkipped(found));
    out.warn(
      `${count(cases.length, 'case')} with texts of callers of ${name}. The log deletes them by ${toIso(keptUntilMs)}; delete the file by then, too.`,
    );
    await out.confirm('Print texts of callers?');
    const document = { tests: name, cases };
    if (out.json) out.value(document, '');
    else out.raw(printYaml([document]));
  },
});

const REASONS = {
  notInFull: 'without their texts in full',
  files: 'with images or documents',
  tools: 'with tools',
  vectors: 'for vectors',
  repeated: 'that repeat another',
} as const;

function describeSkipped({ read, skipped }: ReadCases): string {
  const reasons = [...skipped].map(([reason, number]) => `${number} ${REASONS[reason]}`);
  return `Read ${count(read, 'call')}.${reasons.length === 0 ? '' : ` Left out: ${reasons.join(', ')}.`}`;
}

function noCases(name: string, found: ReadCases): CommandFailure {
  return new CommandFailure({
    what: `No call of ${name} in this period is a case.`,
    why: describeSkipped(found),
    remedy:
      'Texts are kept with `logging: { bodies: full }` (docs/logs.md). Pass a longer period with --since.',
  });
}

function parseCases(text: string): number {
  const value = Number(text);
  if (/^[1-9][0-9]{0,2}$/.test(text) && value <= MAX_CASES) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_CASES}.`);
}
