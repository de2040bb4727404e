/**
 * Loads what the kinds load at their first use. A query imports it while its engine starts, when there is nothing else
 * to do; see `builtin.ts` for the kinds.
 */
import './duckdb/duckdb-source.js'
import './file/file-source.js'
import './http/http-source.js'
