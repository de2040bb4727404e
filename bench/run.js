// All benchmarks, one after the other, each in a process of its own: node bench/run.js
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath, URL } from 'node:url'

for (const name of ['overhead', 'scan', 'result', 'start']) {
  const script = fileURLToPath(new URL(`${name}.js`, import.meta.url))
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
