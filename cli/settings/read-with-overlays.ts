// Reads settings files and merges overlays over them.
import { createInstructionFiles } from '../../adapters/files/instruction-files.ts';
import { type Diagnostic, errorAt, locateAll } from '../../core/admin/diagnostic.ts';
import { inlineFiles } from '../../core/admin/validate/inline-files.ts';
import { mergeOverlay } from '../../core/admin/validate/overlays.ts';
import { option } from '../command/command.ts';
import { readSettingsFiles, type SettingsFiles } from './settings-files.ts';

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
interface MergedFiles extends SettingsFiles {
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
