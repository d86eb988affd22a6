// Records what Presidio's own server answers to the guard: node record-presidio.ts URL VERSION. It is `presidio-analyzer/app.py` of microsoft/presidio.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The settings and texts that are recorded. */
const CASES = [
  { text: '🦊 John Smith drivers license is AC432223', entities: ['PERSON', 'US_DRIVER_LICENSE'] },
  { text: '👩‍👩‍👧 Mail ann@example.com 🎉 or bob@example.org', entities: ['EMAIL_ADDRESS'] },
  { text: 'Zoë Müller and 𝔘𝔫𝔦 live in Paris, near Łódź', entities: ['PERSON', 'LOCATION'] },
  { text: 'Nothing to see here', entities: ['PERSON', 'CREDIT_CARD'] },
  { text: 'Card 4111 1111 1111 1111, IBAN DE89370400440532013000', entities: ['CREDIT_CARD', 'IBAN_CODE'] },
  { text: 'שלום John Smith, 住所 10.1.2.3', entities: ['PERSON', 'IP_ADDRESS'] },
  { text: 'John Smith', entities: ['PERSON'], language: 'de' },
  { text: 'John Smith', entities: ['NOBODY'] },
] as const;

const [url = '', version = ''] = process.argv.slice(2);
const recorded = [];
for (const { text, entities, ...more } of CASES) {
  const settings = { language: 'en', minScore: 0.4, entities, ...more };
  // The bytes that the guard sends: a test holds it to them.
  const { language, minScore } = settings;
  const request = JSON.stringify({ text, language, entities, score_threshold: minScore });
  const answer = await fetch(`${url}/analyze`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: request,
  });
  recorded.push({ text, settings, request, status: answer.status, answer: await answer.text() });
}
const path = join(import.meta.dirname, 'fixtures', 'presidio.json');
writeFileSync(path, `${JSON.stringify({ version, recorded }, undefined, 2)}\n`);
