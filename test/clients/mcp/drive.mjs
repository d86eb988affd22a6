// Drives one released client of the Model Context Protocol: node drive.mjs URL KEY CLIENT. Prints what it got, as JSON.
const [, , url, key, which] = process.argv;
const requestInit = { headers: { authorization: `Bearer ${key}` } };

async function connect() {
  const own = { name: 'a test', version: '1' };
  if (which === 'sdk-1') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    const client = new Client(own);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  }
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client(own, which === 'sdk-2-auto' ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

const client = await connect();
const { tools } = await client.listTools();
const call = async (name, input) => {
  try {
    const { content, isError } = await client.callTool({ name, arguments: { input } });
    return { text: content[0].text, isError };
  } catch (error) {
    return { thrown: String(error) };
  }
};
const results = [await call('orders', 'Hi'), await call('spent', 'a'), await call('nobody', 'a')];
process.stdout.write(`${JSON.stringify({ tools: tools.map(({ name }) => name), results })}\n`);
await client.close();
