import { mkdirSync } from 'node:fs'
import process from 'node:process'
import { loadWorkspaceObject } from '../../dist/config/load-workspace.js'
import { createEngine } from '../../dist/engine/client/engine.js'
import { prepareQuery } from '../../dist/engine/pipeline/prepare.js'
import { localCaller } from '../../dist/model/caller.js'
import { classifyStatement } from '../../dist/policy/statement.js'
import { builtinSchemas } from '../../dist/sources/builtin.js'
import { Generation } from '../../dist/workspace/generation.js'

const sql = `SELECT p.title, i.title AS issue, r.stars
FROM api.pulls p
JOIN api.issues i ON i.owner = p.owner AND i.repo = p.repo
JOIN api.repos r ON r.owner = p.owner AND r.repo = p.repo
WHERE p.owner = 'duckdb' AND p.repo = 'duckdb' AND p.state = 'open' AND i.state = 'open' AND r.stars > 10
ORDER BY p.number LIMIT 20`

/** The pipeline up to the plan, over a catalog of this many tables. The API is never asked. */
export async function openPlanner(tables, stateFolder) {
  mkdirSync(stateFolder, { recursive: true })
  const loaded = await loadWorkspaceObject({
    config: { version: 1, sources: sources(tables) },
    folder: stateFolder,
    kinds: builtinSchemas,
    env: {},
  })
  const { limits } = loaded
  const engine = createEngine({
    threads: limits.threads,
    memoryLimitBytes: limits.memoryBytes,
    maxConcurrentQueries: limits.concurrent,
    stateDir: stateFolder,
    onLog: (line) => process.stderr.write(`${line}\n`),
  })
  const state = { path: stateFolder, folder: () => stateFolder }
  const generation = await Generation.open(loaded, {
    engine,
    state,
    readWrite: false,
    anyFile: false,
    ownSources: [],
    onChanged: () => undefined,
  })
  let queries = 0
  const never = new globalThis.AbortController().signal
  return {
    async plan() {
      const form = classifyStatement(sql, { maxLength: limits.maxSqlChars })
      const { candidates } = await prepareQuery({ form, sql, params: undefined }, generation.services, {
        queryId: `q${queries++}`,
        caller: localCaller,
        callerKey: 'bench',
        callerDir: stateFolder,
        clock: '2026-01-31 12:00:00.000000+00',
        signal: never,
        files: generation.files,
        ownTables: () => Promise.resolve(undefined),
        mayLearn: false,
      })
      if (candidates.length !== 3) throw new Error('the plan does not read three tables')
    },
    async close() {
      await generation.retire()
      await engine.close()
    },
  }
}

/** The three tables of the statement, and as many others as it takes. */
function sources(tables) {
  const own = source('api', ['pulls', 'issues', 'repos'])
  const perSource = 100
  const others = []
  for (let first = 0; first < tables - 3; first += perSource) {
    const count = Math.min(perSource, tables - 3 - first)
    others.push(
      source(
        `other_${first / perSource}`,
        Array.from({ length: count }, (_, number) => `table_${number}`),
      ),
    )
  }
  return [own, ...others]
}

function source(name, tableNames) {
  return {
    name,
    kind: 'http',
    config: { base_url: `http://127.0.0.1:9/${name}` },
    tables: tableNames.map((table) => ({
      name: table,
      endpoint: `/repos/{owner}/{repo}/${table}`,
      params: [
        { name: 'owner', required: true },
        { name: 'repo', required: true },
        { name: 'state', default: 'open' },
      ],
      response: {
        path: '$',
        schema: [
          { name: 'number', type: 'bigint' },
          { name: 'title', type: 'varchar' },
          { name: 'stars', type: 'bigint' },
        ],
      },
    })),
  }
}
