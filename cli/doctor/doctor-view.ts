// The results of `neuron doctor` as lines, with the commands for its findings.
import type { CheckResult } from '../json/checks.ts';
import type { TargetOptions } from '../output/command-line.ts';
import { toCommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { printableText } from '../output/printable.ts';
import { findFixes } from './fixes.ts';

export type { TargetOptions };

type PlainResult = Omit<CheckResult, 'commands'>;

export function withFixes(result: PlainResult, target: Partial<TargetOptions>): CheckResult {
  return { ...result, commands: findFixes(result.check, result.remedy, target) };
}

export function toFailedCheck(check: string, error: unknown, local: string | undefined): PlainResult {
  const { what, why, remedy = null } = toCommandFailure(error, local).detail;
  return { check, ok: false, detail: why === undefined ? what : `${what} ${why}`, remedy };
}

export function renderCheck({ check, ok, detail, remedy }: CheckResult, { paint }: Output): string {
  const passed = remedy === null ? paint('green', 'ok  ') : paint('yellow', 'note');
  const mark = ok ? passed : paint('red', 'fail');
  const lines = [`${check}: ${detail}`, ...(remedy === null ? [] : [remedy])];
  return `${mark} ${printableText(lines.join('\n')).replaceAll('\n', '\n     ')}`;
}

export function renderFixes(results: readonly CheckResult[]): string {
  const lines = results.flatMap(({ check, commands }) => commands.map((line) => ({ check, line })));
  if (lines.length === 0) return 'Nothing to fix.';
  return printableText(
    ['', 'Commands for these findings:', ...lines.map(({ check, line }) => `${line}    # ${check}`)].join(
      '\n',
    ),
  );
}
