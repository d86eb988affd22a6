// Texts of files in documents: put in place of their names, refused where they may not be read.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createInstructionFiles } from '../../../../adapters/files/instruction-files.ts';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { inlineFiles } from '../../../../core/admin/validate/inline-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'acme/prompts'), { recursive: true });
  writeFileSync(join(folder, 'outside.md'), 'outside');
  writeFileSync(join(folder, 'acme/tone.md'), '\uFEFFBe kind.\r\nBe brief.\n');
  writeFileSync(join(folder, 'acme/prompts/deep.md'), 'deep');
  writeFileSync(join(folder, 'acme/latin.txt'), Uint8Array.from([0x63, 0x61, 0x66, 0xe9]));
  writeFileSync(join(folder, 'acme/large.txt'), 'x'.repeat(400_001));
  symlinkSync('../outside.md', join(folder, 'acme/link.md'));
  symlinkSync('prompts', join(folder, 'acme/linked'));
});

function inline(flow: string) {
  const [source] = parseYaml('acme/a.yaml', `neuron: acme/a\nflow:\n${flow}`).documents;
  if (source === undefined) throw new Error('the flow of this test is no YAML');
  return inlineFiles(source, createInstructionFiles(folder));
}

describe('inlining', () => {
  it('puts texts in place of files, in branches too, and keeps the other members', () => {
    const { document, diagnostics } = inline(
      '  - systemInstructions: { file: tone.md, append: true }\n' +
        '  - randomizedSplit: { percentageA: 1, a: [{ systemInstructions: { file: ./prompts/deep.md } }] }\n' +
        '  - systemInstructions: { text: file }\n',
    );
    expect(diagnostics).toEqual([]);
    expect(document.value).toEqual({
      neuron: 'acme/a',
      flow: [
        { systemInstructions: { text: 'Be kind.\nBe brief.\n', append: true } },
        { randomizedSplit: { percentageA: 1, a: [{ systemInstructions: { text: 'deep' } }] } },
        { systemInstructions: { text: 'file' } },
      ],
    });
  });

  test.each([
    ['../outside.md', 'must name a file in the folder of acme/a.yaml or below it'],
    ['prompts/../tone.md', 'must name a file in the folder'],
    ['/etc/passwd', 'must name a file in the folder'],
    ['prompts//deep.md', 'must name a file in the folder'],
    ['..\\outside.md', 'must name a file in the folder'],
    ['C:tone.md', 'must name a file in the folder'],
    ['', 'must name a file in the folder'],
    ['link.md', 'link.md is a symbolic link or below one'],
    ['linked/deep.md', 'linked/deep.md is a symbolic link or below one'],
    ['prompts', 'prompts is not a file'],
    ['absent.md', 'there is no file absent.md beside this one'],
    ['latin.txt', 'latin.txt is not text in UTF-8'],
    ['large.txt', 'large.txt is larger than 400000 bytes'],
  ])('refuses the file %j', (name, rejection) => {
    const { document, diagnostics } = inline(`  - systemInstructions: { file: ${JSON.stringify(name)} }\n`);
    expect(diagnostics.map(renderDiagnostic)).toEqual([
      expect.stringContaining(`acme/a.yaml:3:27: flow[0].systemInstructions.file: ${rejection}`),
    ]);
    expect(JSON.stringify(document.value)).not.toContain('outside"');
  });

  it('leaves to the schema what is no name', () => {
    const { document, diagnostics } = inline('  - systemInstructions: { file: 3 }\n');
    expect(diagnostics).toEqual([]);
    expect(document.value).toEqual({ neuron: 'acme/a', flow: [{ systemInstructions: { file: 3 } }] });
  });
});

describe('inlining of a policy', () => {
  it('puts the text of its file in place of its name', () => {
    const text = 'organization: acme\nguards:\n  a: { type: classifier, policy: { file: tone.md } }\n';
    const [source] = parseYaml('acme/a.yaml', text).documents;
    if (source === undefined) throw new Error('this test has no YAML');
    const { document, diagnostics } = inlineFiles(source, createInstructionFiles(folder));
    expect(diagnostics).toEqual([]);
    expect(document.value).toMatchObject({ guards: { a: { policy: { text: 'Be kind.\nBe brief.\n' } } } });
  });
});
