// Prints settings as YAML that `parseYaml` reads back unchanged.
import { Document, visit } from 'yaml';

/** Documents of plain values, separated by `---`. Texts of several lines become blocks, and no line is folded. */
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

/** False for a text whose outer white space a block would change (yaml 2.9): it is quoted. */
function isPlainBlock(text: string): boolean {
  return !text.includes('\n') || (/^\S/.test(text) && /\S\n?$/.test(text));
}
