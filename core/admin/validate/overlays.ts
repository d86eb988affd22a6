// Merges overlays over settings documents, so that stages differ without copies: JSON merge patches (RFC 7396).
import type { Path } from '../../settings/path.ts';
import { isJsonObject, type JsonObject, textMemberOf } from '../../text/json.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument } from '../diagnostic.ts';

interface Merged {
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The documents with one overlay merged over them. Each document of the overlay names one of them by its `organization` or `neuron`; one that
 * names none of them is an error, since a misspelled slug would leave the stage without its changes. `complete` is false when a file of
 * settings could not be read: what seems to be missing may be in it. A place is that of the file that has the value.
 */
export function mergeOverlay(
  documents: readonly SourceDocument[],
  overlay: readonly SourceDocument[],
  complete: boolean,
): Merged {
  const patches = new Map<string, SourceDocument>();
  const known = new Set(documents.map(identityOf));
  const diagnostics: Diagnostic[] = [];
  for (const patch of overlay) {
    const identity = identityOf(patch);
    const before = identity === undefined ? undefined : patches.get(identity);
    if (identity === undefined) diagnostics.push(...locateAll(patch, [errorAt([], WITHOUT_IDENTITY)]));
    else if (before !== undefined)
      diagnostics.push(...locateAll(patch, [errorAt([], describeTwice(identity, before))]));
    else if (known.has(identity)) patches.set(identity, patch);
    else if (complete) diagnostics.push(...locateAll(patch, [errorAt([], describeUnknown(identity))]));
  }
  const merged = documents.map((document) => {
    const patch = patches.get(identityOf(document) ?? '');
    return patch === undefined ? document : mergeDocument(document, patch);
  });
  return { documents: merged, diagnostics };
}

const WITHOUT_IDENTITY =
  'must name the document that it changes: begin it with `organization: SLUG`, `neuron: ORGANIZATION/SLUG` or `tests: ORGANIZATION/SLUG`';

function describeUnknown(identity: string): string {
  return `changes \`${identity}\`, which is not in the settings files: an overlay adds no document. Correct the name, or add the document there`;
}

function describeTwice(identity: string, before: SourceDocument): string {
  const { file, line } = before.locate([]);
  return `changes \`${identity}\`, which this overlay changes already at ${file}:${line}; keep one of them`;
}

/** The line that names a document; undefined where nothing or more than one does. */
function identityOf({ value }: SourceDocument): string | undefined {
  const names = ['organization', 'neuron', 'tests'].flatMap((member) => {
    const name = textMemberOf(value, member);
    return name === undefined ? [] : [`${member}: ${name}`];
  });
  return names.length === 1 ? names[0] : undefined;
}

function mergeDocument(document: SourceDocument, patch: SourceDocument): SourceDocument {
  return {
    value: mergePatch(document.value, patch.value),
    locate: (path) => (isOf(patch.value, path) ? patch : document).locate(path),
  };
}

/** RFC 7396, section 2: objects merge member by member, null removes a member, anything else replaces what was there. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries<unknown>(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** Whether the value at a path comes from the patch: all of it below a member that the patch replaces or removes. */
function isOf(patch: unknown, path: Path): boolean {
  const [part, ...rest] = path;
  if (!isJsonObject(patch)) return true;
  if (part === undefined) return false;
  return Object.hasOwn(patch, part) && isOf((patch as JsonObject)[part], rest);
}
