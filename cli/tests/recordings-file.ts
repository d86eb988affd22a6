// Recordings in files beside the tests: `.neuron-recordings/NAME.jsonl` for `NAME.yaml`, a recording a line.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import {
  type Recording,
  type RecordingStore,
  type RunPlace,
  recordingSchema,
} from '../../core/tests/recording/recording.ts';
import { hasVerdict, type SideOutcome } from '../../core/tests/suite/outcomes.ts';
import { parseExactJson } from '../../core/text/exact-json.ts';
import { CommandFailure } from '../output/failure.ts';
import { removeLeftovers, temporaryFileOf } from './temporary-file.ts';

export const RECORDINGS_FOLDER = '.neuron-recordings';

export function recordingsFileOf(testsFile: string): string {
  const name = basename(testsFile, extname(testsFile));
  return join(dirname(testsFile), RECORDINGS_FOLDER, `${name}.jsonl`);
}

/** Tests files whose recordings are in the same file, but for this one. */
function findSiblings(testsFile: string): readonly string[] {
  const stem = join(dirname(testsFile), basename(testsFile, extname(testsFile)));
  return ['.yaml', '.yml']
    .map((ending) => `${stem}${ending}`)
    .filter((path) => path !== testsFile && existsSync(path));
}

/** Files of recordings, and the cases that each belongs to. */
export interface RecordingFiles extends RecordingStore {
  /**
   * Sorts what was added into its files. Where the outcomes of all calls made anew are passed, it drops recordings that no call had, but for
   * those of cases without a verdict, whose calls were not all made. Throws `CommandFailure` where a file could not be written.
   */
  save(madeAnew: readonly SideOutcome[] | undefined): void;
  /** Recordings of no call so far, by file. */
  unused(): readonly { readonly file: string; readonly count: number }[];
}

interface OpenFile {
  /** Relative to the working folder. */
  readonly name: string;
  readonly path: string;
  readonly recordings: Map<string, Recording>;
  isChanged: boolean;
  /** False for a file that another process was killed within, or that a merge put together. */
  readonly isSorted: boolean;
  /** True where a tests file that is not read has its recordings in it too, as `a.yml` beside `a.yaml`: their own cases are not known. */
  readonly isShared: boolean;
}

/** A tests file with the neuron and the names of its cases. */
interface TestsFile {
  readonly file: string;
  readonly tests: string;
  readonly cases: readonly string[];
}

/**
 * `files`: the tests file of each tests document, by `ORGANIZATION/NEURON`; cases of one neuron may stand in several. `further`: files of
 * recordings that are read, and never written. Throws `CommandFailure` for a file that cannot be read.
 */
export function openRecordings(
  folder: string,
  testsFiles: readonly TestsFile[],
  further: readonly string[],
): RecordingFiles {
  const { files, byCase } = openOwn(folder, testsFiles);
  const readOnly = further
    .map(recordingsFileOf)
    .filter((name) => !files.has(name))
    .map((name) => openFile(folder, name, false));
  const used = new Set<string>();
  const isForeign = (file: OpenFile, place: RunPlace) => file.isShared && !byCase.has(caseKey(place));
  let failure: CommandFailure | undefined;
  return {
    find(key, place) {
      const own = byCase.get(caseKey(place))?.recordings.get(key);
      const found = own ?? readOnly.find(({ recordings }) => recordings.has(key))?.recordings.get(key);
      if (found !== undefined) used.add(key);
      return found;
    },
    add(recording) {
      const file = byCase.get(caseKey(recording));
      if (file === undefined) return;
      used.add(recording.key);
      file.recordings.set(recording.key, recording);
      try {
        append(file, recording);
      } catch (error) {
        failure ??= unwritable(file, error);
      }
    },
    isBroken: () => failure !== undefined,
    save(madeAnew) {
      if (failure !== undefined) throw failure;
      const isDropped = unusedOf(madeAnew);
      for (const file of files.values()) {
        removeLeftovers(file.path);
        const kept = [...file.recordings.values()].filter(
          (one) => used.has(one.key) || !isDropped(one) || isForeign(file, one),
        );
        if (!file.isChanged && file.isSorted && kept.length === file.recordings.size) continue;
        try {
          writeSorted(file, kept);
        } catch (error) {
          throw unwritable(file, error);
        }
      }
    },
    unused: () =>
      [...files.values()].flatMap((file) => {
        const open = [...file.recordings.values()].filter(
          (one) => !used.has(one.key) && !isForeign(file, one),
        );
        return open.length === 0 ? [] : [{ file: file.name, count: open.length }];
      }),
  };
}

/** The files by their names, and by each case. */
function openOwn(folder: string, testsFiles: readonly TestsFile[]) {
  const files = new Map<string, OpenFile>();
  const read = testsFiles.map(({ file }) => resolve(folder, file));
  const isShared = (file: string) =>
    findSiblings(resolve(folder, file)).some((sibling) => !read.includes(sibling));
  const byCase = new Map<string, OpenFile>();
  for (const { file, tests, cases } of testsFiles) {
    const name = recordingsFileOf(file);
    const open = files.get(name) ?? openFile(folder, name, isShared(file));
    files.set(name, open);
    for (const one of cases) byCase.set(caseKey({ tests, case: one }), open);
  }
  return { files, byCase };
}

function unusedOf(madeAnew: readonly SideOutcome[] | undefined): (place: RunPlace) => boolean {
  if (madeAnew === undefined) return () => false;
  const open = madeAnew.flatMap(({ cases }) => cases.filter((one) => !hasVerdict(one)));
  const kept = new Set(open.map(({ tests, name }) => caseKey({ tests, case: name })));
  return (place) => !kept.has(caseKey(place));
}

function unwritable({ name }: OpenFile, cause: unknown): CommandFailure {
  return new CommandFailure(
    {
      what: `${name} cannot be written, so no further call was made.`,
      why: (cause as Error).message,
      remedy: 'Make its folder writable and run the command again, or pass --record none.',
    },
    { cause },
  );
}

function caseKey(place: Pick<RunPlace, 'tests' | 'case'>): string {
  return JSON.stringify([place.tests, place.case]);
}

function openFile(folder: string, name: string, isShared: boolean): OpenFile {
  const path = resolve(folder, name);
  const recordings = new Map<string, Recording>();
  const lines = readText(path, name).split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const recording = parseLine(line);
    // A process that was killed leaves the last line unfinished: its call is made again.
    if (recording === undefined && at === lines.length - 1) continue;
    if (recording === undefined)
      throw new CommandFailure({
        what: `${name}:${at + 1} is no recording.`,
        remedy:
          'Take the line out, or restore the file. A conflict of a merge is solved by keeping both sides.',
      });
    recordings.set(recording.key, recording);
  }
  const isSorted = lines.join('\n') === renderSorted([...recordings.values()]);
  return { name, path, recordings, isChanged: false, isSorted, isShared };
}

function readText(path: string, name: string): string {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  } catch (error) {
    throw new CommandFailure({ what: `${name} cannot be read.`, why: (error as Error).message });
  }
}

function parseLine(line: string): Recording | undefined {
  const parsed = recordingSchema.safeParse(parseExactJson(line));
  return parsed.success ? parsed.data : undefined;
}

/** At once, so that a run that is stopped has kept what it paid for. */
function append(file: OpenFile, recording: Recording): void {
  if (!file.isChanged) {
    mkdirSync(dirname(file.path), { recursive: true });
    // An unfinished last line must not swallow the next one.
    writeSorted(
      file,
      [...file.recordings.values()].filter((one) => one !== recording),
    );
    file.isChanged = true;
  }
  appendFileSync(file.path, `${JSON.stringify(recording)}\n`);
}

function writeSorted(file: OpenFile, recordings: readonly Recording[]): void {
  const temporary = temporaryFileOf(file.path);
  writeFileSync(temporary, renderSorted(recordings));
  renameSync(temporary, file.path);
}

/** By case, repetition and target, so that a difference shows what changed. */
function renderSorted(recordings: readonly Recording[]): string {
  const sorted = recordings.toSorted((one, other) => compare(orderOf(one), orderOf(other)));
  return sorted.map((one) => `${JSON.stringify(one)}\n`).join('');
}

function orderOf({ tests, case: name, repetition, target, key }: Recording): readonly (string | number)[] {
  return [tests, name, repetition, target, key];
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? '';
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
