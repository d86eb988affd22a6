// Guards by Bedrock over a real socket, side by side with the AWS SDK's own client: the same requests, signed the same way, read the same.
import {
  ApplyGuardrailCommand,
  GuardrailChecksContentFilterCategory,
  GuardrailChecksPromptAttackCategory,
  GuardrailChecksSensitiveInformationEntityType,
  GuardrailPiiEntityType,
  InvokeGuardrailChecksCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEDROCK_ENTITIES, CHECK_CATEGORIES } from '../../../../core/settings/guards/remote/bedrock-names.ts';
import { partsOf, signatureOf } from '../../providers/bedrock/signature.ts';
import type { ReceivedRequest } from '../../providers/fixture-server.ts';
import { type FakeGuardrails, readGuardFixture, SECRET, startFakeGuardrails } from './fake-guardrails.ts';

let fake: FakeGuardrails;
beforeAll(async () => {
  fake = await startFakeGuardrails();
});
afterAll(() => fake.stop());

const HOUSE = { type: 'bedrock', guardrail: 'abc123def456', version: '3', region: 'eu-central-1' };
const TEXTS = ['Hi, my name is Zaid. Which car brand is reliable?', 'Hello Zaid, ABC Cars are reliable ...'];
const texts = TEXTS.map((text) => ({ role: 'user', text }) as const);

function applyBySdk(source: 'INPUT' | 'OUTPUT') {
  return fake.clientOf('eu-central-1').send(
    new ApplyGuardrailCommand({
      guardrailIdentifier: 'abc123def456',
      guardrailVersion: '3',
      source,
      content: TEXTS.map((text) => ({ text: { text } })),
    }),
  );
}

/** Everything about a request but its signature and what the client says about itself. */
const essence = ({ method, path, headers, body }: ReceivedRequest) => ({
  method,
  path,
  body,
  type: headers['content-type'],
  token: headers['x-amz-security-token'],
  digest: headers['x-amz-content-sha256'] !== undefined,
});

/** Both requests, and what is the same of their signatures. */
function expectSame(theirs: ReceivedRequest, ours: ReceivedRequest): void {
  expect(essence(ours)).toEqual(essence(theirs));
  const scopeOf = (one: ReceivedRequest) => partsOf(one).credential.split('/').slice(2);
  expect(scopeOf(ours)).toEqual(scopeOf(theirs));
  for (const one of [theirs, ours]) expect(partsOf(one).signature).toBe(signatureOf(one, SECRET));
}

describe('a call of ApplyGuardrail', () => {
  it.each([
    ['input', 'INPUT'],
    ['toolResults', 'INPUT'],
    ['output', 'OUTPUT'],
    ['toolCalls', 'OUTPUT'],
  ] as const)('of %s is the request that the AWS SDK sends with the source %s', async (stage, source) => {
    fake.answerWith(readGuardFixture('apply-none'));
    await applyBySdk(source);
    const theirs = fake.last();
    await fake.inspect(HOUSE, { stage, texts });
    expectSame(theirs, fake.last());
  });

  it('goes to the region of the function where the guard names none', async () => {
    fake.answerWith(readGuardFixture('apply-none'));
    await fake.inspect({ ...HOUSE, region: undefined }, { texts });
    expect(partsOf(fake.last()).credential).toContain('/eu-west-1/bedrock/aws4_request');
  });

  it.each([
    ['apply-none', 'none'],
    ['apply-blocked', 'block'],
    ['apply-blocked-and-masked', 'block'],
    ['apply-masked', 'block'],
  ])('whose answer is %s is read as the AWS SDK reads it', async (fixture, verdict) => {
    fake.answerWith(readGuardFixture(fixture));
    const theirs = await applyBySdk('INPUT');
    const ours = await fake.inspect(HOUSE, { texts });
    expect(ours.verdict).toBe(verdict);
    expect(theirs.action).toBe(verdict === 'none' ? 'NONE' : 'GUARDRAIL_INTERVENED');
    // The texts that the SDK gives are ours with the names of entities in the places that we found.
    const places = ours.finds.filter(({ span }) => span !== undefined);
    const hidden = TEXTS.map((text, index) =>
      places
        .filter((one) => one.text === index)
        .reduceRight(
          (cut, { span, entity }) => `${cut.slice(0, span?.start)}{${entity}}${cut.slice(span?.end)}`,
          text,
        ),
    );
    if (places.length > 0) expect(hidden).toEqual(theirs.outputs?.map(({ text }) => text));
    const { topicPolicyUnits, contentPolicyUnits } = theirs.usage ?? {};
    expect(ours.usage.units).toMatchObject({
      topic: topicPolicyUnits ?? 0,
      content: contentPolicyUnits ?? 0,
    });
  });

  it('that fails within a 200 is no answer to either', async () => {
    fake.answerWith(readGuardFixture('apply-error-in-200'));
    expect((await applyBySdk('INPUT')).action).toBeUndefined();
    await expect(fake.inspect(HOUSE, { texts })).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it.each([
    ['error-429', 'ThrottlingException', 'rate_limited'],
    ['error-403', 'AccessDeniedException', 'rejected'],
  ])('that fails as %s is %s to the AWS SDK and %s here', async (fixture, name, kind) => {
    fake.answerWith(readGuardFixture(fixture));
    await expect(applyBySdk('INPUT')).rejects.toMatchObject({ name });
    await expect(fake.inspect(HOUSE, { texts })).rejects.toMatchObject({ kind });
  });
});

const ATTACK = {
  type: 'bedrockChecks',
  region: 'us-east-1',
  contentFilter: { hate: 0.5, violence: 0.7 },
  promptAttack: { jailbreak: 0.7, promptLeakage: 0.6 },
  sensitiveInformation: { entities: ['EMAIL'], minScore: 0.8 },
};

describe('a call of InvokeGuardrailChecks', () => {
  it('is the request that the AWS SDK sends, and its answer is read as the AWS SDK reads it', async () => {
    fake.answerWith(readGuardFixture('checks-scores'));
    const said = 'My email is alex@example.com. Tell me how to hack a bank.';
    const theirs = await fake.clientOf('us-east-1').send(
      new InvokeGuardrailChecksCommand({
        messages: [
          { role: 'user', content: [{ text: said }] },
          { role: 'assistant', content: [{ text: 'No.' }] },
        ],
        checks: {
          contentFilter: { categories: [{ category: 'HATE' }, { category: 'VIOLENCE' }] },
          promptAttack: { categories: [{ category: 'JAILBREAK' }, { category: 'PROMPT_LEAKAGE' }] },
          sensitiveInformation: { entities: [{ type: 'EMAIL' }] },
        },
      }),
    );
    const sent = fake.last();
    const ours = await fake.inspect(ATTACK, {
      texts: [
        { role: 'tool', text: said },
        { role: 'assistant', text: 'No.' },
      ],
    });
    expectSame(sent, fake.last());
    const [email] = theirs.results?.sensitiveInformation?.results ?? [];
    expect(ours.finds).toEqual([
      // 0.6 is below the threshold of JAILBREAK, 0.2 below that of the others.
      { entity: 'VIOLENCE', text: 1 },
      { entity: 'EMAIL', text: 0, span: { start: email?.beginOffset, end: email?.endOffset } },
    ]);
    expect(said.slice(email?.beginOffset, email?.endOffset)).toBe('alex@example.com');
    expect(ours.usage.units).toEqual({
      promptAttack: theirs.usage?.promptAttack?.textUnits,
      contentFilter: theirs.usage?.contentFilter?.textUnits,
      sensitiveInformation: theirs.usage?.sensitiveInformation?.textUnits,
    });
  });

  it('knows the entities and categories that the AWS SDK knows', () => {
    const sorted = (names: object) => Object.values(names).sort();
    expect(sorted(BEDROCK_ENTITIES)).toEqual(sorted(GuardrailChecksSensitiveInformationEntityType));
    expect(sorted(BEDROCK_ENTITIES)).toEqual(sorted(GuardrailPiiEntityType));
    expect(sorted(CHECK_CATEGORIES.promptAttack)).toEqual(sorted(GuardrailChecksPromptAttackCategory));
    expect(sorted(CHECK_CATEGORIES.contentFilter)).toEqual(sorted(GuardrailChecksContentFilterCategory));
  });
});
