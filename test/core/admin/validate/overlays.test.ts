// Overlays merged over settings: the examples of RFC 7396, places in two files, and names that fit nothing.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { mergeOverlay } from '../../../../core/admin/validate/overlays.ts';

function merge(settings: string, overlay: string, complete = true) {
  const base = parseYaml('a.yaml', settings).documents;
  const { documents, diagnostics } = mergeOverlay(base, parseYaml('prod.yaml', overlay).documents, complete);
  return {
    documents,
    values: documents.map(({ value }) => value),
    errors: diagnostics.map(renderDiagnostic),
  };
}

describe('an overlay', () => {
  // RFC 7396, appendix A, those whose target and patch are objects.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', { a: 'c' }],
    ['{"a":"b"}', '{"b":"c"}', { a: 'b', b: 'c' }],
    ['{"a":"b"}', '{"a":null}', {}],
    ['{"a":"b","b":"c"}', '{"a":null}', { b: 'c' }],
    ['{"a":["b"]}', '{"a":"c"}', { a: 'c' }],
    ['{"a":"c"}', '{"a":["b"]}', { a: ['b'] }],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', { a: { b: 'd' } }],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', { a: [1] }],
    ['{"e":null}', '{"a":1}', { e: null, a: 1 }],
    ['{}', '{"a":{"bb":{"ccc":null}}}', { a: { bb: {} } }],
  ])('merges over %s the patch %s as RFC 7396 does', (target, patch, expected) => {
    const named = (text: string) => text.replace(/^\{(?=.)/, '{"organization":"acme",').replace(',}', '}');
    expect(merge(named(target), named(patch)).values).toEqual([{ organization: 'acme', ...expected }]);
  });

  it('changes the documents that it names, and no others', () => {
    const settings = 'organization: acme\n---\nneuron: acme/one\nname: 1\n---\nneuron: acme/two\nname: 2\n';
    const { values, errors } = merge(settings, 'neuron: acme/two\nname: 3\n');
    expect(values).toEqual([
      { organization: 'acme' },
      { neuron: 'acme/one', name: 1 },
      { neuron: 'acme/two', name: 3 },
    ]);
    expect(errors).toEqual([]);
  });

  it('has each value at the place in the file that it comes from', () => {
    const { documents } = merge(
      'neuron: acme/one\nname: 1\nlogging:\n  bodies: full\n  retention: 7d\nflow: []\n',
      'neuron: acme/one\nlogging:\n  retention: 30d\nflow:\n  - x: 1\n',
    );
    const at = (...path: (string | number)[]) => {
      const { file, line } = documents[0]!.locate(path);
      return `${file}:${line}`;
    };
    expect([at(), at('name'), at('logging'), at('logging', 'bodies')]).toEqual([
      'a.yaml:1',
      'a.yaml:2',
      'a.yaml:3',
      'a.yaml:4',
    ]);
    expect([at('logging', 'retention'), at('flow', 0, 'x'), at('neuron')]).toEqual([
      'prod.yaml:3',
      'prod.yaml:5',
      'prod.yaml:1',
    ]);
  });

  it.each([
    ['neuron: acme/tow', 'prod.yaml:1:1: changes `neuron: acme/tow`, which is not in the settings files'],
    ['organization: ACME', 'prod.yaml:1:1: changes `organization: ACME`, which is not in the settings files'],
    ['name: 3', 'prod.yaml:1:1: must name the document that it changes'],
    ['- neuron: acme/two', 'prod.yaml:1:1: must name the document that it changes'],
    ['neuron: null', 'prod.yaml:1:1: must name the document that it changes'],
    ['organization: acme\nneuron: acme/two', 'prod.yaml:1:1: must name the document that it changes'],
    [
      'neuron: acme/two\n---\nneuron: acme/two',
      'prod.yaml:3:1: changes `neuron: acme/two`, which this overlay changes already at prod.yaml:1',
    ],
  ])('is an error as %j', (overlay, error) => {
    const { errors } = merge('organization: acme\n---\nneuron: acme/two\n', overlay);
    expect(errors).toEqual([expect.stringContaining(error)]);
  });

  it('may name a document of a file that could not be read', () => {
    expect(merge('organization: acme\n', 'neuron: acme/two\n', false).errors).toEqual([]);
  });
});
