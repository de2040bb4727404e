import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { usage } from '../usage.js'
import { clientSnippets, type Launch } from './client-snippets.js'
import { workspaceTemplate } from './workspace-template.js'

/** Writes a commented workspace file and snippets for clients; never over a file that is there. Answers the paths. */
export async function writeWorkspace(folder: string): Promise<readonly string[]> {
  const target = path.resolve(folder)
  const file = path.join(target, 'querent.yaml')
  const clients = path.join(target, 'querent-clients.md')
  await attempt(target, () => mkdir(target, { recursive: true }))
  await attempt(file, () =>
    writeFile(file, workspaceTemplate(path.basename(target), packageFile('schema/querent.schema.json')), {
      flag: 'wx',
    }),
  )
  await attempt(clients, () => writeFile(clients, clientSnippets(launchOf(file)), { flag: 'wx' }))
  return [file, clients]
}

async function attempt(file: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw usage(code === 'EEXIST' ? `${file} is there already.` : `Cannot write ${file}: ${code}.`)
  }
}

/** This installation itself: no package manager decides what a client runs. */
function launchOf(file: string): Launch {
  return { command: process.execPath, args: [packageFile('dist/cli.js'), 'serve', '--config', file] }
}

function packageFile(name: string): string {
  return fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
}
