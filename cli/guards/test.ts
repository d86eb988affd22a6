// `neuron guards test`: runs guards on a text, without a call and without a trace. Values are shown on a terminal alone.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validateJson } from '../../adapters/schema/validate-json.ts';
import { testText } from '../../core/admin/guards/test-text.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { ActiveGuard } from '../../core/guards/active-guards.ts';
import { STAGES, type Stage } from '../../core/settings/guards/guards-schema.ts';
import { parseTarget } from '../command/arguments.ts';
import { argument, command, flag, option } from '../command/command.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Session } from '../session/session.ts';
import { openServices, withoutServices } from './open-services.ts';
import { readGuards } from './read-guards.ts';
import { renderTested, summarizeLines, toTestedLine } from './test-view.ts';

export const guardsTest = command({
  name: 'test',
  description: 'Runs guards on a text, and says what they find and what becomes of it.',
  arguments: {
    target: argument(
      '<organization[/neuron]>',
      'a neuron, with its guards; or an organization, with its whole library',
      parseTarget,
    ),
  },
  options: {
    settings: option('--settings <path>', 'settings file or folder instead of the applied settings'),
    guard: option('--guard <name>', 'run this guard alone'),
    stage: option('--stage <stage>', 'where the text stands', STAGES, { default: 'input' as Stage }),
    text: option('--text <text>', 'the text (default: standard input)'),
    file: option('--file <path>', 'file with the text'),
    services: flag('--services', 'ask services of guards too, which sends them the text'),
    lines: flag('--lines', 'take each line as a text of its own'),
    show: flag('--show', 'show finds, and the text that leaves, on the terminal'),
  },
  conflicts: [
    { option: 'text', with: ['file'] },
    { option: 'lines', with: ['show'] },
  ],
  help: 'Without --show, the output has kinds and numbers of finds and nothing of the text. Placeholders of masks are not those of requests.',
  async run({ target, settings, guard, stage, text, file, services, lines, show }, session) {
    const { terminal, out } = session;
    if (show && (out.json || !terminal.stdout.isTerminal))
      throw usageFailure(
        '--show prints values, and prints them to a terminal alone.',
        'Leave it out, --json too, and do not redirect the output.',
      );
    const read = await readGuards(target, settings, session);
    const named = select(read.guards, guard, stage);
    const guards = services ? named : withoutServices(named, session);
    const asked = services && named.some(({ service }) => service !== undefined);
    const ports = {
      validateJson,
      ...(asked ? { services: await openServices(read.organization, session) } : {}),
    };
    const source = text ?? (await readText(file, session));
    const texts = lines ? source.split(/\r?\n/).filter((line) => line !== '') : [source];
    const tested = await mapAtOnce([...texts.entries()], TEXTS_AT_ONCE, async ([index, one]) => ({
      line: index + 1,
      result: await testText(guards, stage, one, ports),
    }));
    if (out.json) {
      for (const { line, result } of tested) out.value(toTestedLine(lines ? line : null, stage, result), '');
    } else if (lines) out.value(undefined, summarizeLines(tested));
    else
      for (const { result } of tested)
        out.value(undefined, renderTested(result, { text: source, show, stage }));
  },
});

/** Services are asked about few texts at once. */
const TEXTS_AT_ONCE = 4;

/** Throws `CommandFailure` where nothing would be run. */
function select(
  guards: readonly ActiveGuard[],
  name: string | undefined,
  stage: Stage,
): readonly ActiveGuard[] {
  const named = guards.filter((guard) => name === undefined || guard.name === name);
  const names = (some: readonly ActiveGuard[]) => [...new Set(some.map((guard) => guard.name))].join(', ');
  if (named.length === 0)
    throw new CommandFailure({ what: `There is no guard ${name}.`, why: `There are ${names(guards)}.` });
  const there = named.filter(({ stages }) => stages.has(stage));
  if (there.length > 0) return there;
  throw new CommandFailure({
    what: `${names(named)} ${named.length === 1 ? 'does' : 'do'} not look at ${stage}.`,
    remedy: 'Pass another --stage, or an organization, whose library looks at every stage.',
  });
}

/** More than any request may have. */
const MAX_BYTES = 16 * 1_048_576;

async function readText(file: string | undefined, { terminal }: Session): Promise<string> {
  if (file === undefined) {
    if (terminal.stdin.isTerminal)
      throw usageFailure('There is no text.', 'Pass --text or --file, or pipe it in.');
    return withoutEnd(await terminal.stdin.readAll());
  }
  try {
    const bytes = readFileSync(resolve(terminal.folder, file));
    if (bytes.byteLength <= MAX_BYTES) return withoutEnd(bytes.toString('utf8'));
  } catch (error) {
    throw new CommandFailure({ what: `The file ${file} cannot be read.`, why: (error as Error).message });
  }
  throw new CommandFailure({ what: `The file ${file} has more than 16 MiB.`, remedy: 'Split it.' });
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
