import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { TempFolder } from './support/temp-folder.js'

it('the package holds all that the demo needs', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = new TempFolder()
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  execFileSync('tar', ['-xzf', join(folder.path, filename), '-C', folder.path])
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'package', 'node_modules'))
  symlinkSync(join(folder.path, 'package', 'dist', 'cli.js'), join(folder.path, 'querent'))
  const demo = execFileSync(process.execPath, [join(folder.path, 'querent'), 'demo'], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, QUERENT_STATE_DIR: join(folder.path, 'state') },
  })
  expect(demo).toContain('Kestrel Air')
  folder.remove()
})
