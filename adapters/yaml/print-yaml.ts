// Prints settings as YAML that the reader beside it takes back unchanged.
import { stringify } from 'yaml';

/** Documents of plain values, separated by `---`. Texts of several lines are printed as such, and no line is folded. */
export function printYaml(documents: readonly unknown[]): string {
  return documents.map((document) => printDocument(document)).join('---\n');
}

function printDocument(document: unknown): string {
  return stringify(document, {
    version: '1.2',
    schema: 'core',
    aliasDuplicateObjects: false,
    lineWidth: 0,
    indentSeq: true,
  });
}
