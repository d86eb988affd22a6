// Placeholders: filled once, never read again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RENDERED_LENGTH, renderTemplate } from '../../../core/flow/template.ts';
import { placeholdersOf } from '../../../core/settings/placeholders.ts';
import { anyText } from '../../support/any-text.ts';

const values = {
  input: 'IN',
  output: 'OUT',
  username: 'ann',
  'execution.id': 'exec-1',
  now: '2026-11-21T12:30:00.000Z',
};

describe('a template', () => {
  it.each([
    ['{{input}} and {{output}}', 'IN and OUT'],
    ['{{username}} {{execution.id}} {{now}}', 'ann exec-1 2026-11-21T12:30:00.000Z'],
    ['{{ input }}', 'IN'],
    ['{{input}}{{input}}', 'ININ'],
    ['{{{input}}}', '{IN}'],
    [
      '{{unknown}} {{Input}} {{toString}} {{constructor}}',
      '{{unknown}} {{Input}} {{toString}} {{constructor}}',
    ],
    ['{{}} {input} {{input} }} {{in put}} $& $1', '{{}} {input} {{input} }} {{in put}} $& $1'],
    ['', ''],
  ])('turns %j into %j', (template, rendered) => {
    expect(renderTemplate(template, values)).toBe(rendered);
  });

  it('never reads what it filled in as a template again', () => {
    const hostile = { ...values, input: '{{username}} {{output}} $& $1 $$', output: '{{input}}' };
    expect(renderTemplate('{{input}} | {{output}}', hostile)).toBe(
      '{{username}} {{output}} $& $1 $$ | {{input}}',
    );
    // Braces of the template and of the input do not join into a placeholder either.
    expect(renderTemplate('{{{input}}}', { ...values, input: '{username}' })).toBe('{{username}}');
  });

  it('keeps any input exactly as it is, between the texts around it', () => {
    fc.assert(
      fc.property(anyText(20), (input) => {
        expect(renderTemplate('<{{input}}>', { ...values, input })).toBe(`<${input}>`);
      }),
    );
  });

  it('keeps input that is made of placeholders and braces', () => {
    const pieces = fc.constantFrom('{{', '}}', 'input', '{{input}}', '{{output}}', ' ', '{', '$&');
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const input = parts.join('');
        expect(renderTemplate('{{input}}', { ...values, input })).toBe(input);
      }),
    );
  });

  it('refuses to grow a text beyond the bound, before it does', () => {
    const input = 'x'.repeat(1_000_000);
    expect(renderTemplate('{{input}}'.repeat(4), { ...values, input })).toHaveLength(MAX_RENDERED_LENGTH);
    expect(() => renderTemplate('{{input}}'.repeat(11_000), { ...values, input })).toThrow(
      expect.objectContaining({ code: 'input_too_large' }),
    );
    expect(() => renderTemplate(`${'{{input}}'.repeat(4)}.`, { ...values, input })).toThrow(
      'input_too_large',
    );
  });

  it('is searched in time that grows with its length only', () => {
    const braces = '{{'.repeat(50_000);
    expect(renderTemplate(braces, values)).toBe(braces);
    const spaces = `{{${' '.repeat(90_000)}`;
    expect(renderTemplate(spaces, values)).toBe(spaces);
  });
});

describe('the placeholders of a text', () => {
  it('are named once each, known or not, in the order of the text', () => {
    expect(placeholdersOf('{{now}} {{inptu}} {{ now }} {{execution.id}} {{}} {{a b}}')).toEqual([
      'now',
      'inptu',
      'execution.id',
    ]);
  });
});
