# Drives the released Python client of the Model Context Protocol: drive.py URL KEY. Prints what it got, as JSON.
import asyncio
import json
import sys

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

url, key = sys.argv[1:3]


async def call(client, name, text):
    try:
        result = await client.call_tool(name, {"input": text})
        return {"text": result.content[0].text, "isError": result.is_error}
    except Exception as error:
        return {"thrown": str(error)}


async def main():
    http = httpx2.AsyncClient(headers={"Authorization": "Bearer " + key})
    async with Client(streamable_http_client(url, http_client=http)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        results = [await call(client, name, "Hi") for name in ("orders", "spent", "nobody")]
        print(json.dumps({"tools": tools, "results": results}))


asyncio.run(main())
