"""Presidio's analyzer with the form of its REST API, for one language model: python presidio.py PORT MODEL.

Its own container has the same engine behind Flask. The model is a package of spaCy, such as en_core_web_sm.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

port, model = int(sys.argv[1]), sys.argv[2]
engine = NlpEngineProvider(
    nlp_configuration={"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]}
).create_engine()
analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        finds = analyzer.analyze(
            asked["text"], language=asked["language"], entities=asked["entities"], score_threshold=asked["score_threshold"]
        )
        names = ("entity_type", "start", "end", "score")
        body = json.dumps([{name: getattr(find, name) for name in names} for find in finds]).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
