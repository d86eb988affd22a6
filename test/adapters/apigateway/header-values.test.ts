// Headers and query parameters of an event, doubled ones included.
import { describe, expect, it } from 'vitest';
import { headerValues, queryValues } from '../../../adapters/apigateway/header-values.ts';
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
    expect(headerValues(proxyEvent({ headers: null }), 'Referer')).toEqual([]);
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
  });
});
