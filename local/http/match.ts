// Finds the method for a request in the resource tree of a REST API.

/** The path variables of a match, as they were sent; null if the resource has none. */
export type PathParameters = Readonly<Record<string, string>> | null;

interface Match<M> {
  readonly method: M;
  readonly pathParameters: PathParameters;
}

interface Node<M> {
  readonly fixed: Map<string, Node<M>>;
  variable: { readonly name: string; readonly node: Node<M> } | undefined;
  greedy: { readonly name: string; readonly node: Node<M> } | undefined;
  readonly methods: Map<string, M>;
}

// API Gateway Developer Guide: ANY stands for these seven.
const HTTP_METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Makes a matcher with the rules of API Gateway (recorded answers): a fixed segment wins over `{variable}`, and that over
 * `{greedy+}`; without the request's method, the next best resource answers; slashes at the end are ignored; case matters; nothing is
 * decoded.
 * @param methods with resource paths such as `/{shop}/{order}`, and HTTP methods or `ANY`
 */
export function createMatcher<M>(
  methods: readonly { readonly path: string; readonly httpMethod: string; readonly method: M }[],
): (httpMethod: string, path: string) => Match<M> | undefined {
  const root = createNode<M>();
  for (const { path, httpMethod, method } of methods)
    insert(root, segmentsOf(path)).methods.set(httpMethod, method);
  return (httpMethod, path) => {
    if (!path.startsWith('/') || !HTTP_METHODS.has(httpMethod)) return undefined;
    const segments = segmentsOf(path);
    const values: [string, string][] = [];
    const method = find(root, segments, 0, httpMethod, values);
    if (method === undefined) return undefined;
    return { method, pathParameters: values.length === 0 ? null : Object.fromEntries(values) };
  };
}

function segmentsOf(path: string): string[] {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === 47) end -= 1;
  return end === 0 ? [] : path.slice(1, end).split('/');
}

function createNode<M>(): Node<M> {
  return { fixed: new Map(), variable: undefined, greedy: undefined, methods: new Map() };
}

function insert<M>(root: Node<M>, segments: readonly string[]): Node<M> {
  let node = root;
  for (const segment of segments) {
    const name = /^\{([^}+]+)(\+?)\}$/.exec(segment);
    if (name === null) {
      const next = node.fixed.get(segment) ?? createNode<M>();
      node.fixed.set(segment, next);
      node = next;
    } else {
      const kind = name[2] === '+' ? 'greedy' : 'variable';
      const child = node[kind] ?? { name: name[1] ?? '', node: createNode<M>() };
      node[kind] = child;
      node = child.node;
    }
  }
  return node;
}

function find<M>(
  node: Node<M>,
  segments: readonly string[],
  depth: number,
  httpMethod: string,
  values: [string, string][],
): M | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.methods.get(httpMethod) ?? node.methods.get('ANY');
  const fixed = node.fixed.get(segment);
  const found = fixed && find(fixed, segments, depth + 1, httpMethod, values);
  if (found !== undefined) return found;
  if (node.variable !== undefined && segment !== '') {
    values.push([node.variable.name, segment]);
    const below = find(node.variable.node, segments, depth + 1, httpMethod, values);
    if (below !== undefined) return below;
    values.pop();
  }
  if (node.greedy === undefined) return undefined;
  const last = node.greedy.node.methods;
  const method = last.get(httpMethod) ?? last.get('ANY');
  if (method !== undefined) values.push([node.greedy.name, segments.slice(depth).join('/')]);
  return method;
}
