// Headers and query parameters of an event, doubled ones included.
import { describe, expect, it } from 'vitest';
import { headerValues, queryValues } from '../../../adapters/apigateway/access-event.ts';
import { proxyEvent } from './events.ts';

describe('a header', () => {
  it('is found whatever the case of its name, with every value of every spelling', () => {
    const event = proxyEvent({
      headers: { authorization: ['one', 'two'], AUTHORIZATION: ['three'], Accept: ['*/*'] },
    });
    expect(headerValues(event, 'Authorization')).toEqual(['one', 'two', 'three']);
  });

  it('is an empty list where there is none', () => {
    expect(headerValues(proxyEvent({ headers: {} }), 'Referer')).toEqual([]);
  });

  it('is read from `headers` where the event has no other, whatever the case of its name', () => {
    const headers = { REFERER: ['https://a.example/', 'https://b.example/'] };
    for (const without of [['multiValueHeaders'], []]) {
      const event = proxyEvent({ headers, without });
      expect(headerValues(event, 'Referer')?.at(-1)).toBe('https://b.example/');
    }
    const event = { headers: { referer: 'https://b.example/' }, multiValueHeaders: null };
    expect(headerValues(event, 'Referer')).toEqual(['https://b.example/']);
    expect(headerValues({ ...event, multiValueHeaders: { host: ['a'] } }, 'Referer')).toEqual([
      'https://b.example/',
    ]);
  });

  it('is unknown where the event has no headers at all, and not absent', () => {
    expect(headerValues(proxyEvent({ headers: null }), 'Referer')).toBeUndefined();
    expect(
      headerValues(proxyEvent({ without: ['headers', 'multiValueHeaders'] }), 'Referer'),
    ).toBeUndefined();
    expect(headerValues(proxyEvent({ headers: {}, without: ['headers'] }), 'Referer')).toEqual([]);
    expect(headerValues(proxyEvent({ headers: {}, without: ['multiValueHeaders'] }), 'Referer')).toEqual([]);
  });
});

describe('a query parameter', () => {
  it('is found by its exact name, with every value', () => {
    const event = proxyEvent({ query: { rawOutput: ['true', ''], RAWOUTPUT: ['false'] } });
    expect(queryValues(event, 'rawOutput')).toEqual(['true', '']);
  });

  it('is an empty list where there is none, also for a name that every object inherits', () => {
    expect(queryValues(proxyEvent({ query: null }), 'rawOutput')).toEqual([]);
    expect(queryValues(proxyEvent({ query: { key: ['k'] } }), 'rawOutput')).toEqual([]);
    expect(queryValues(proxyEvent({ query: {} }), 'constructor')).toEqual([]);
    const withoutLists = { query: {}, without: ['multiValueQueryStringParameters'] };
    expect(queryValues(proxyEvent(withoutLists), 'constructor')).toEqual([]);
  });

  it('is read from `queryStringParameters` where the event has no lists', () => {
    const parts = { query: { rawOutput: ['false', 'true'] }, without: ['multiValueQueryStringParameters'] };
    expect(queryValues(proxyEvent(parts), 'rawOutput')).toEqual(['true']);
  });
});
