// Which method answers a path. Expected: API Gateway Developer Guide, "Set up a proxy resource", and recorded answers of
// REST APIs (fixed before variable before greedy; a resource without the method lets another answer).
import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../http/match.ts';

const match = createMatcher(
  [
    ['/', 'GET'],
    ['/part1', 'GET'],
    ['/part1/fixed', 'GET'],
    ['/{proxy+}', 'GET'],
    ['/{proxy+}', 'OPTIONS'],
    ['/test', 'POST'],
    ['/test/any', 'ANY'],
    ['/users/{id}', 'ANY'],
    ['/users/{id}', 'DELETE'],
    ['/users/{id}/files/{path+}', 'PUT'],
    ['/Case', 'PUT'],
  ].map(([path = '', httpMethod = '']) => ({ path, httpMethod, method: `${httpMethod} ${path}` })),
);

describe('a path', () => {
  it.each([
    ['GET', '/', 'GET /', null],
    ['GET', '/part1', 'GET /part1', null],
    ['GET', '/part1/', 'GET /part1', null],
    ['GET', '/part1/fixed', 'GET /part1/fixed', null],
    ['GET', '/part1/other', 'GET /{proxy+}', { proxy: 'part1/other' }],
    ['OPTIONS', '/test', 'OPTIONS /{proxy+}', { proxy: 'test' }],
    ['OPTIONS', '/test/any', 'ANY /test/any', null],
    ['GET', '/users/7', 'ANY /users/{id}', { id: '7' }],
    ['DELETE', '/users/7', 'DELETE /users/{id}', { id: '7' }],
    ['PUT', '/users/7/files/a/b', 'PUT /users/{id}/files/{path+}', { id: '7', path: 'a/b' }],
    ['GET', '/users/7/files/a/b', 'GET /{proxy+}', { proxy: 'users/7/files/a/b' }],
    ['GET', '/proxy-value//double-slash', 'GET /{proxy+}', { proxy: 'proxy-value//double-slash' }],
    ['GET', '/a%2Fb/c+d', 'GET /{proxy+}', { proxy: 'a%2Fb/c+d' }],
    ['PATCH', '/users/a%2Fb', 'ANY /users/{id}', { id: 'a%2Fb' }],
  ])('%s %s finds %s', (httpMethod, path, method, pathParameters) => {
    expect(match(httpMethod, path)).toEqual({ method, pathParameters });
  });

  it.each([
    ['POST', '/part1'],
    ['POST', '/nowhere'],
    ['PUT', '/case'],
    ['PUT', '/users//files/a'],
    ['PUT', '/users/7/files'],
    ['TRACE', '/test/any'],
    ['get', '/part1'],
    ['OPTIONS', '*'],
  ])('%s %s finds nothing', (httpMethod, path) => {
    expect(match(httpMethod, path)).toBeUndefined();
  });

  it('matches a greedy variable to one segment or more, never to none', () => {
    const greedy = createMatcher([{ path: '/a/{rest+}', httpMethod: 'GET', method: 'm' }]);
    expect(greedy('GET', '/a')).toBeUndefined();
    expect(greedy('GET', '/a/')).toBeUndefined();
    expect(greedy('GET', '/a/b')).toEqual({ method: 'm', pathParameters: { rest: 'b' } });
  });
});
