// What `apply` refuses and warns about in the entries of `referers`.
import { describe, expect, it } from 'vitest';
import type { PartDiagnostic } from '../../../../../core/admin/diagnostic.ts';
import { validateAccess } from '../../../../../core/admin/validate/access/access.ts';
import { type Access, accessSchema } from '../../../../../core/settings/access-schema.ts';
import { splitDiagnostics } from '../../../../support/split-diagnostics.ts';

function validate(access: unknown) {
  return splitDiagnostics(validateAccess(accessSchema.parse(access) as Access, { allowLoopback: false }));
}

/** `path: message` of each one. */
function show(diagnostics: readonly PartDiagnostic[]): string[] {
  return diagnostics.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const paths = (diagnostics: readonly PartDiagnostic[]) => diagnostics.map(({ path }) => path.join('.'));

describe('entries of referers', () => {
  it('are taken as hosts in their one spelling', () => {
    const referers = ['app.example.com', '*.example.org', 'localhost', '10.1.2.3', 'xn--bcher-kva.example'];
    expect(validate({ referers, ips: ['203.0.113.7'] })).toEqual({ errors: [], warnings: [] });
  });

  it.each([
    ['https://app.example.com/page', 'Write app.example.com.'],
    ['HTTP://app.example.com', 'Write app.example.com.'],
    ['app.example.com:8443', 'Write app.example.com.'],
    ['app.example.com.', 'Write app.example.com.'],
    ['app.example.com/?from=https://b.example', 'Write app.example.com.'],
    ['*.https://App.example.com', 'Write *.app.example.com.'],
    ['0x7f.1', 'Write 127.0.0.1.'],
    ['0X7F.1', 'Write 127.0.0.1.'],
    ['１２７.0.0.1', 'Write 127.0.0.1.'],
    ['app.exam\tple.com', 'Write app.example.com.'],
    ['app.exam\u00adple.com', 'Write app.example.com.'],
    ['a%2eb', 'Write a.b.'],
    [
      `${'a'.repeat(64)}.example.com`,
      'Write a host such as app.example.com, or *.example.com for its subdomains.',
    ],
    [`*.${'a'.repeat(64)}.com`, 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['-app.example.com', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['app-.example.com', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['app.-example.com', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['app.example.com-', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['*', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['*.', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['a b', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['a.*.example.com', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['a.*.com', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
    ['[::1]', 'Write a host such as app.example.com, or *.example.com for its subdomains.'],
  ])('refuses %j and says what to write', (entry, remedy) => {
    const { errors, warnings } = validate({ referers: ['ok.example', entry], ips: ['203.0.113.7'] });
    expect(warnings).toEqual([]);
    expect(show(errors)).toEqual([
      `referers.1: is ${JSON.stringify(entry)}, which is not the name of a host (labels of 1 to 63 letters, digits and inner hyphens; no scheme, port, path or trailing dot), so no page could match it. ${remedy}`,
    ]);
  });

  it('refuses subdomains of an IP address', () => {
    expect(show(validate({ referers: ['*.10.1.2.3'] }).errors)).toEqual([
      'referers.0: is *.10.1.2.3, which can match nothing, because an IP address has no subdomains. Write 10.1.2.3.',
    ]);
  });

  it.each([
    ['App.example.com', 'app.example.com'],
    ['*.Example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.BÜCHER.example', '*.xn--bcher-kva.example'],
    ['ａｐｐ.example.com', 'app.example.com'],
    ['A_b.example', 'a_b.example'],
  ])('take %s as %s', (entry, ascii) => {
    const referers = [entry];
    expect(validate({ referers, ips: ['203.0.113.7'] })).toEqual({ errors: [], warnings: [] });
    expect(accessSchema.parse({ referers }).referers).toEqual([ascii]);
  });

  it.each(['com', 'co.uk', 'github.io', 'xn--p1ai', 's3.amazonaws.com'])(
    'refuses the public suffix %s, alone and as a wildcard',
    (suffix) => {
      expect(show(validate({ referers: [suffix, `*.${suffix}`] }).errors)).toEqual([
        `referers.0: is ${suffix}, but ${suffix} is a public suffix, under which anybody may register names, so it is nobody's own host. Name the domain that is yours, such as example.${suffix}.`,
        `referers.1: is *.${suffix}, but ${suffix} is a public suffix, under which anybody may register names, so it allows the pages of everybody who has a name there. Name the domain that is yours, such as *.example.${suffix}.`,
      ]);
    },
  );

  it('takes names below a public suffix', () => {
    const referers = ['example.com', '*.example.co.uk', 'ada.github.io', '*.ada.github.io', 'localhost'];
    expect(validate({ referers, ips: ['203.0.113.7'] })).toEqual({ errors: [], warnings: [] });
  });

  it('refuses null, which is what pages without a host send', () => {
    expect(show(validate({ referers: ['null', 'Null'] }).errors)).toEqual(
      [0, 1].map(
        (index) =>
          `referers.${index}: is null, which is what browsers send as the Origin of sandboxed frames and files, of whoever they are: it is never let in. Remove it, and serve the page from a host.`,
      ),
    );
    expect(validate({ referers: ['null.example.com'] }).errors).toEqual([]);
  });

  it('warn about an entry that is listed twice, once', () => {
    const twice = validate({ referers: ['a.example', 'b.example', 'A.example'], ips: ['203.0.113.7'] });
    expect(twice.errors).toEqual([]);
    expect(show(twice.warnings)).toEqual([
      'referers.2: is a.example, which is listed twice. Remove one of them.',
    ]);
    const wild = validate({ referers: ['*.a.example', '*.a.example'], ips: ['203.0.113.7'] });
    expect(paths(wild.warnings)).toEqual(['referers.1']);
  });

  it('refuses an entry that another covers, wherever it stands', () => {
    const referers = ['app.example.com', '*.a.example.com', '*.example.com', 'example.com', 'a.example.org'];
    expect(show(validate({ referers }).errors)).toEqual([
      'referers.0: is app.example.com, which changes nothing, because *.example.com covers it. Remove it, or narrow *.example.com.',
      'referers.1: is *.a.example.com, which changes nothing, because *.example.com covers it. Remove it, or narrow *.example.com.',
    ]);
  });

  it('names the first of several that cover an entry', () => {
    const referers = ['*.internal', '*.example.internal', 'a.example.internal'];
    expect(show(validate({ referers }).errors)).toEqual([
      'referers.1: is *.example.internal, which changes nothing, because *.internal covers it. Remove it, or narrow *.internal.',
      'referers.2: is a.example.internal, which changes nothing, because *.internal covers it. Remove it, or narrow *.internal.',
    ]);
  });

  it('warn about a whole top-level domain that is not public', () => {
    expect(validate({ referers: ['*.internal'], ips: ['203.0.113.7'] }).errors).toEqual([]);
    expect(show(validate({ referers: ['*.internal', 'intranet'], ips: ['203.0.113.7'] }).warnings)).toEqual([
      'referers.0: is *.internal, which allows pages on every host of a top-level domain. Name the domain that is yours, such as *.example.internal.',
    ]);
  });
});
