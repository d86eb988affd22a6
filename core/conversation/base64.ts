// Checks base64 with padding (RFC 4648, section 4) without decoding it.

/** In steps: one expression over millions of characters may exhaust the stack of the engine. */
export function isBase64(data: string): boolean {
  if (data === '' || data.length % 4 !== 0) return false;
  const body = data.length - paddingOf(data);
  for (let start = 0; start < body; start += 65_536) {
    if (!/^[A-Za-z0-9+/]*$/.test(data.slice(start, Math.min(body, start + 65_536)))) return false;
  }
  return true;
}

/** Decoded size. */
export function bytesOf(data: string): number {
  return (data.length / 4) * 3 - paddingOf(data);
}

function paddingOf(data: string): number {
  return data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
}
