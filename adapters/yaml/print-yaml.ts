// Prints settings as YAML that the reader beside it takes back unchanged.
import { Document, visit } from 'yaml';

/** Documents of plain values, separated by `---`. Texts of several lines are printed as such, and no line is folded. */
export function printYaml(documents: readonly unknown[]): string {
  return documents.map((document) => printDocument(document)).join('---\n');
}

function printDocument(value: unknown): string {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !isPlainBlock(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

/** Block texts lose or gain white space at their ends (yaml 2.9), which may be meant: such texts are quoted. */
function isPlainBlock(text: string): boolean {
  return !text.includes('\n') || (/^\S/.test(text) && /\S\n?$/.test(text));
}
