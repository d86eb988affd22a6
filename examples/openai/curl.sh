#!/usr/bin/env bash
# curl alone: the answer as it is written.
set -euo pipefail
curl -sSN "${NEURON_OPENAI_URL:-http://127.0.0.1:3000/v1/acme/dialog}/chat/completions" \
  -H "authorization: Bearer ${NEURON_API_KEY:-public}" -H 'content-type: application/json' \
  -d '{"model":"acme/dialog","stream":true,"messages":[{"role":"user","content":"Why is the sky blue?"}]}'
