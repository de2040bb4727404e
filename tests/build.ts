import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Compiles src/ once before the tests: the engine worker and the command line run as processes from dist/. */
export default function build(): void {
  if (process.env['QUERENT_SKIP_BUILD'] === '1') return
  const root = fileURLToPath(new URL('..', import.meta.url))
  const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
}
