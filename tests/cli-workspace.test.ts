import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from './support/api-server.js'
import { Cli } from './support/run-cli.js'

const cli = new Cli()
let api: ApiServer

beforeAll(async () => {
  api = await startApiServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1,"state":"open"}]')
  })
  cli.folder.write('data.csv', 'id,name\n1,a\n2,b\n')
})

afterAll(() => {
  api.close()
  cli.remove()
})

function workspace(name: string, sources: string): string {
  cli.folder.write(name, `version: 1\nname: test\nsources:\n${sources}`)
  return name
}

const files = (tables: string): string => `  - name: d\n    kind: file\n    tables:\n${tables}`
const pulls = (url: string): string => `  - name: api
    kind: http
    config: { base_url: "${url}" }
    tables:
      - name: pulls
        endpoint: /pulls
        params: [{ name: state, default: open, any: all }]
        response: { path: $, schema: [{ name: id, type: bigint }, { name: state, type: varchar }] }
`

describe('querent init', () => {
  it('writes a workspace that loads, and never over one that is there', async () => {
    const made = await cli.run(['init', 'fresh'])
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(join(cli.folder.path, 'fresh/querent-clients.md'), 'utf8')).toContain('fresh/querent.yaml')
    expect(await cli.run(['check', '--config', 'fresh/querent.yaml'])).toMatchObject({ code: 0, stderr: '' })
    const again = await cli.run(['init', 'fresh'])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('is there already')
  })

  it('writes examples that load once their comments are taken away', async () => {
    await cli.run(['init', 'examples'])
    const text = readFileSync(join(cli.folder.path, 'examples/querent.yaml'), 'utf8')
    const uncommented = text.replace('sources: []', 'sources:').replaceAll(/^# {2}/gm, '  ')
    cli.folder.write('examples/full.yaml', uncommented)
    const run = await cli.run(['tables', '--config', 'examples/full.yaml'], { env: { GITHUB_TOKEN: 'x' } })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('github.pulls')
    expect(run.stdout).toContain('data.accounts')
  })
})

describe('querent check', () => {
  it('lists every fault with its place', async () => {
    cli.folder.write(
      'broken.yaml',
      'version: 1\nnme: x\nsources:\n  - name: d\n    kind: fil\n  - name: main\n    kind: file\n    tables: []\n',
    )
    const run = await cli.run(['check', '--config', 'broken.yaml'])
    expect(run.code).toBe(2)
    expect(run.stdout).toMatch(/^broken\.yaml:2:1: .*nme/m)
    expect(run.stdout).toMatch(/^broken\.yaml:5:11: .*fil/m)
    expect(run.stdout).toMatch(/^broken\.yaml:6:11: .*main/m)
    expect(run.stdout).toMatch(/Did you mean "name"/)
  })

  it('is 0 where all answers, and says what it saw', async () => {
    const config = workspace(
      'good.yaml',
      files('      - { name: t, path: ./data.csv, examples: ["SELECT * FROM d.t"] }\n') + pulls(api.url),
    )
    const run = await cli.run(['check', '--config', config])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/ok +d\.t, example 1: runs/)
    expect(run.stdout).toMatch(/ok +api: answers/)
  })

  it('is 1 where an example fails', async () => {
    const config = workspace(
      'example.yaml',
      files('      - { name: t, path: ./data.csv, examples: ["SELECT nope FROM d.t"] }\n'),
    )
    const run = await cli.run(['check', '--config', config])
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/error +d\.t, example 1: .*nope/)
  })

  it('is 4 where a source is unreachable, and probes the others', async () => {
    const config = workspace(
      'down.yaml',
      files('      - { name: t, path: ./data.csv }\n') + pulls('http://127.0.0.1:9'),
    )
    const run = await cli.run(['check', '--config', config])
    expect(run.code).toBe(4)
    expect(run.stdout).toMatch(/error +api: .*127\.0\.0\.1:9/)
    expect(run.stdout).toMatch(/ok +d\.t: 2 columns/)
  })
})

describe('the catalog', () => {
  const sources = files('      - { name: people, path: ./data.csv, description: "All people\\e[2J\\u202E" }\n')

  it('lists, ranks and describes without a request', async () => {
    const config = workspace('catalog.yaml', sources + pulls(api.url))
    const before = api.asked.length
    const all = await cli.run(['tables', '--config', config])
    expect(all.code).toBe(0)
    expect(all.stdout).toContain('api.pulls')
    expect(all.stdout).toContain('d.people')
    const found = await cli.run(['tables', 'people', '--config', config])
    expect(found.stdout).not.toContain('api.pulls')
    const described = await cli.run(['describe', 'api.pulls', '--config', config])
    expect(described.stdout).toMatch(/state .*pushed .*default open.*all asks for all/)
    expect(api.asked).toHaveLength(before)
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(all.stdout + found.stdout).not.toMatch(/[\u001b\u202e]/)
  })

  it('takes sources in place of a workspace', async () => {
    expect((await cli.run(['tables', 'data.csv'])).stdout).toContain('files.data')
    expect((await cli.run(['describe', 'files.data', 'data.csv'])).stdout).toMatch(/name .*VARCHAR/)
    expect(await cli.run(['check', 'data.csv'])).toMatchObject({ code: 0 })
  })

  it('names near tables', async () => {
    const run = await cli.run(['describe', 'd.peple', '--config', workspace('near.yaml', sources)])
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toContain('d.people')
  })
})

describe('querent explain', () => {
  it('says what is pushed and makes no request', async () => {
    const config = workspace('explain.yaml', pulls(api.url))
    const before = api.asked.length
    const sql = "SELECT id FROM api.pulls WHERE state = 'closed' AND id > 3"
    const text = await cli.run(['explain', sql, '--config', config])
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/pushed: .*closed/)
    expect(text.stdout).toContain('request: GET /pulls?state=closed')
    const json = await cli.run(['explain', sql, '--json', '--config', config])
    expect(JSON.parse(json.stdout)).toMatchObject({ success: true, scans: [{ table: 'api.pulls', access: 'remote' }] })
    expect(api.asked).toHaveLength(before)
  })

  it('ends as the query would', async () => {
    expect(await cli.run(['explain', 'DROP TABLE x'])).toMatchObject({ code: 3 })
    const config = workspace('refused.yaml', pulls(api.url).replace(', any: all', ''))
    const refused = await cli.run(['explain', "FROM api.pulls WHERE state <> 'open'", '--config', config])
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('source.default_conflict')
  })
})

describe('querent trust', () => {
  it('is needed for a file that was found and reads a secret, once for each content', async () => {
    const folder = new Cli()
    const file = `version: 1
name: found
sources:
  - name: api
    kind: http
    config: { base_url: "http://127.0.0.1:9", token: "\${secret:A_TOKEN}" }
    tables: [{ name: t, endpoint: /t }]
secrets: [{ kind: env }]
`
    const env = { A_TOKEN: 'x' }
    folder.folder.write('querent.yaml', file)
    const refused = await folder.run(['query', 'SELECT 1'], { env })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('config.untrusted')
    const asked = await folder.run(['trust'])
    expect(asked.code).toBe(2)
    expect(asked.stderr).toContain('A_TOKEN')
    expect(await folder.run(['trust', '--yes'])).toMatchObject({ code: 0 })
    expect(await folder.run(['query', 'SELECT 1'], { env })).toMatchObject({ code: 0 })
    folder.folder.write('querent.yaml', `${file}# changed\n`)
    expect(await folder.run(['query', 'SELECT 1'], { env })).toMatchObject({ code: 2 })
    folder.remove()
  })
})

describe('help', () => {
  const commands = [
    'demo',
    'init',
    'query',
    'shell',
    'tables',
    'describe',
    'explain',
    'check',
    'serve',
    'trust',
    'audit',
  ]

  it.each([...commands, 'completion'])('of %s stands on stdout, with examples', async (command) => {
    const run = await cli.run([command, '--help'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/Examples?:\n {2}\S/)
  })

  it('without a command is a usage error, and names all of them', async () => {
    const run = await cli.run([])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    for (const command of commands) expect(run.stderr).toContain(`\n  ${command}`)
  })
})

describe('querent completion', () => {
  it('completes commands, options and their values in bash', async () => {
    const { stdout: script } = await cli.run(['completion', 'bash'])
    const complete = (...words: string[]): string => {
      const quoted = words.map((word) => `'${word}'`).join(' ')
      return execFileSync(
        'bash',
        ['-c', `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _querent; echo "\${COMPREPLY[*]}"`],
        { cwd: cli.folder.path, encoding: 'utf8' },
      ).trim()
    }
    expect(complete('querent', 'qu')).toBe('query')
    expect(complete('querent', 'query', '--form')).toBe('--format')
    expect(complete('querent', 'query', '--format', 'par')).toBe('parquet')
    expect(complete('querent', 'query', 'SELECT 1', 'data.c')).toBe('data.csv')
  })

  it('names the shells it knows', async () => {
    const run = await cli.run(['completion', 'tcsh'])
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('bash, zsh, fish')
  })
})

describe('querent demo', () => {
  it('answers its question from files and an API', async () => {
    const run = await cli.run(['demo'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(
      /Question\n[\s\S]*SQL\n[\s\S]*Plan \(0 requests made for it\)[\s\S]*pushed: status = 'open'/,
    )
    expect(run.stdout).toMatch(/Requests made\n\n {2}GET \/tickets\?status=open\n/)
    expect(
      run.stdout
        .split('Answer')[1]
        ?.match(/^│ \w.*$/gm)
        ?.map((line) => line.split('│')[1]?.trim()),
    ).toEqual(['name', 'Kestrel Air', 'Tundra Outdoors'])
    expect(existsSync(join(cli.folder.path, 'querent.yaml'))).toBe(false)
  })
})
