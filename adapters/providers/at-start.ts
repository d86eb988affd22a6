// What several types of provider share. It is loaded at start: each file more would cost a first call half a millisecond.
import './api-key.ts';
import './http-status.ts';
import './post-json.ts';
import './usage-with-cache.ts';
