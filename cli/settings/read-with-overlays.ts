// Reads the settings files and overlays that are named on the command line.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createInstructionFiles } from '../../adapters/files/instruction-files.ts';
import { parseYaml } from '../../adapters/yaml/parse-yaml.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument } from '../../core/admin/diagnostic.ts';
import { inlineFiles } from '../../core/admin/validate/inline-files.ts';
import { mergeOverlay } from '../../core/admin/validate/overlays.ts';
import { option } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';

/** Files and folders of settings, and of overlays, which are merged over the settings in their order. All are relative to `folder`. */
export interface SettingsPaths {
  readonly paths: readonly string[];
  readonly overlays: readonly string[];
  readonly folder: string;
}

/** `--overlay PATH`, once or more. */
export const overlayOption = option(
  '--overlay <path>',
  'a file or folder merged over the settings by slug: null removes, a list replaces; repeat it for several',
  (path: string, before: readonly string[] | undefined) => [...(before ?? []), path],
);

/** Merged documents, with instructions of files in them. `diagnostics` are those of files that could not be read. */
export interface MergedFiles extends SettingsFiles {
  /** Diagnostics of instruction files and of overlays. */
  readonly ofParts: readonly Diagnostic[];
}

/** Instructions of files are read beside the file that names them, so before the merge. Throws like `readSettingsFiles`. */
export function readWithOverlays({ paths, overlays, folder }: SettingsPaths): MergedFiles {
  const settings = readInlined(paths, folder);
  return overlays.reduce<MergedFiles>((merged, path) => {
    const overlay = readInlined([path], folder);
    const both = overlay.documents.filter((document) => merged.files.includes(document.locate([]).file));
    const { documents, diagnostics } = mergeOverlay(
      merged.documents,
      overlay.documents,
      merged.diagnostics.length === 0,
    );
    return {
      files: [...merged.files, ...overlay.files],
      documents,
      diagnostics: [...merged.diagnostics, ...overlay.diagnostics],
      ofParts: [
        ...merged.ofParts,
        ...overlay.ofParts,
        ...diagnostics,
        ...both.flatMap((document) => locateAll(document, [errorAt([], READ_TWICE)])),
      ],
    };
  }, settings);
}

const READ_TWICE =
  'is read already, as settings or as another overlay: pass each path once, and keep overlays outside of the folder of settings';

function readInlined(paths: readonly string[], folder: string): MergedFiles {
  const read = readSettingsFiles(paths, folder);
  const files = createInstructionFiles(folder);
  const inlined = read.documents.map((document) => inlineFiles(document, files));
  return {
    ...read,
    documents: inlined.map(({ document }) => document),
    ofParts: inlined.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** In the order of the paths. Names of files are relative to the working folder. */
interface SettingsFiles {
  readonly files: readonly string[];
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads files, and every `.yaml` and `.yml` file below folders. Throws `CommandFailure` where a path does not exist, cannot be read or has
 * no such file, so that a mistaken path is not taken for empty settings.
 */
export function readSettingsFiles(paths: readonly string[], folder: string): SettingsFiles {
  const files = [...new Set(paths.flatMap((path) => findFiles(path, folder)))];
  const parsed = files.map((file) => parseYaml(file, readText(resolve(folder, file), file)));
  const documents = parsed.flatMap((one) => one.documents);
  const diagnostics = parsed.flatMap((one) => one.diagnostics);
  if (documents.length === 0 && diagnostics.length === 0) {
    throw new CommandFailure({
      what: `No documents were found in ${files.join(', ')}.`,
      remedy: 'Pass files that contain an organization or a neuron.',
    });
  }
  return { files, documents, diagnostics };
}

function findFiles(path: string, folder: string): string[] {
  const absolute = resolve(folder, path);
  const kind = findKind(absolute);
  if (kind === 'nothing') throw new CommandFailure({ what: `There is no file or folder ${path}.` });
  const name = (file: string) => relative(folder, file) || file;
  if (kind !== 'folder') return [name(absolute)];
  const found = globSync('**/*.{yaml,yml}', { cwd: absolute, exclude: ['**/node_modules/**', '**/.*/**'] })
    .map((file) => join(absolute, file))
    // A broken link stays in the list, so that the error of reading it has its name.
    .filter((file) => ['file', 'nothing', 'unknown'].includes(findKind(file)))
    .sort();
  if (found.length > 0) return found.map(name);
  throw new CommandFailure({
    what: `The folder ${path} contains no .yaml or .yml file.`,
    remedy: `Run \`neuron init ${path}\` to create one.`,
  });
}

/** `unknown` where the system reports an error, such as for a link to itself; the error of reading the file then tells why. */
function findKind(path: string): 'nothing' | 'file' | 'folder' | 'other' | 'unknown' {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return 'nothing';
    return status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'unknown';
  }
}

function readText(path: string, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const isText = !(error instanceof TypeError);
    throw new CommandFailure({
      what: isText ? `${name} cannot be read.` : `${name} is not UTF-8 text.`,
      why: isText ? (error as Error).message : undefined,
    });
  }
}
