"""What the suite would load from the Internet comes from here: a picture and a document."""
import base64

import httpx
import pytest

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n"


@pytest.fixture(autouse=True)
def files(monkeypatch):
    def get(url, **_options):
        content = PDF if str(url).endswith(".pdf") else PIXEL
        return httpx.Response(200, content=content, request=httpx.Request("GET", url))

    monkeypatch.setattr(httpx, "get", get)
