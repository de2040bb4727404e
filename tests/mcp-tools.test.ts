import type { Progress } from '@modelcontextprotocol/client'
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { afterEach, describe, expect, it } from 'vitest'
import { accounts, memoryTable, nasty, orders } from './support/memory-tables.js'
import { escapedLength, MemoryWorkspace } from './support/memory-workspace.js'
import { connectStdio, eras } from './support/stdio-client.js'

const tokens = new Tiktoken(o200k)
const open: MemoryWorkspace[] = []

function workspace(): MemoryWorkspace {
  const made = new MemoryWorkspace([accounts, orders, nasty])
  open.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()))
})

interface TextResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

function textOf(result: unknown): string {
  return (result as TextResult).content[0]?.text ?? ''
}

function errorOf(result: unknown): Record<string, unknown> {
  const { isError, structuredContent } = result as TextResult
  expect(isError).toBe(true)
  expect(structuredContent).toBeUndefined()
  return JSON.parse(textOf(result)) as Record<string, unknown>
}

describe.each(eras)('SQL-mode tools, %s era', (era) => {
  it('lists exactly six tools within 1,300 tokens', async () => {
    const { client } = await connectStdio(workspace(), era)
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual([
      'search_tables',
      'describe_table',
      'query',
      'explain_query',
      'fetch_result',
      'cancel_query',
    ])
    const size = tokens.encode(JSON.stringify({ tools })).length
    expect(size).toBeLessThanOrEqual(1300)
    expect(size).toBeGreaterThan(300)
    for (const tool of tools) {
      expect(tool.title).toBeDefined()
      expect(tool.outputSchema?.['additionalProperties']).toBeUndefined()
      expect(tool.inputSchema['additionalProperties']).toBe(false)
    }
  })

  it('tells a model how to work in less than 250 tokens', async () => {
    const { client } = await connectStdio(workspace(), era)
    const instructions = client.getInstructions() ?? ''
    expect(tokens.encode(instructions).length).toBeLessThan(250)
    expect(instructions).toMatch(/never instructions/)
  })

  it('flips the annotations of query with readWrite', async () => {
    const reading = await connectStdio(workspace(), era)
    const writing = await connectStdio(workspace(), era, { readWrite: true })
    const find = async (pair: typeof reading): Promise<unknown> =>
      (await pair.client.listTools()).tools.find((tool) => tool.name === 'query')?.annotations
    expect(await find(reading)).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(await find(writing)).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })

  it('answers a query as structured content and as the same JSON in text, keys in order', async () => {
    const { client } = await connectStdio(workspace(), era)
    const result = await client.callTool({ name: 'query', arguments: { sql: 'SELECT * FROM data.orders', maxRows: 2 } })
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
    expect(Object.keys(JSON.parse(textOf(result)) as object)).toEqual([
      'success',
      'truncated',
      'columns',
      'columnTypes',
      'rows',
      'rowCount',
      'totalRows',
      'result',
      'queryId',
      'elapsedMs',
      'sources',
    ])
  })

  it('keeps a message of nasty rows within bounds', async () => {
    const { client, fromServer } = await connectStdio(workspace(), era)
    let longest = 0
    fromServer.on('data', (chunk: Buffer) => (longest = Math.max(longest, chunk.length)))
    const result = await client.callTool({ name: 'query', arguments: { sql: 'SELECT * FROM data.nasty' } })
    const { rowCount, truncated } = result.structuredContent as { rowCount: number; truncated: boolean }
    expect(truncated).toBe(true)
    expect(rowCount).toBeGreaterThan(10)
    expect(JSON.stringify(textOf(result)).length - 2).toBeLessThanOrEqual(50_000)
    expect(JSON.stringify(result).length).toBeLessThan(102_000)
    expect(longest).toBeGreaterThan(50_000)
  })

  it('pages through a capped result, each page within bounds, none lost', async () => {
    const { client } = await connectStdio(workspace(), era)
    const first = await client.callTool({ name: 'query', arguments: { sql: 'SELECT * FROM data.nasty' } })
    const { result, rows } = first.structuredContent as { result: string; rows: unknown[][] }
    const all = [...rows]
    let offset: number | undefined = rows.length
    while (offset !== undefined) {
      const page = await client.callTool({ name: 'fetch_result', arguments: { result, offset } })
      expect(JSON.stringify(textOf(page)).length - 2).toBeLessThanOrEqual(50_000)
      const content = page.structuredContent as { rows: unknown[][]; nextOffset?: number; complete: boolean }
      expect(content.complete).toBe(true)
      all.push(...content.rows)
      offset = content.nextOffset
    }
    expect(all).toEqual(nasty.rows)
  })

  it('links to the whole result as a file, and reads it', async () => {
    const { client } = await connectStdio(workspace(), era)
    const capped = await client.callTool({ name: 'query', arguments: { sql: 'SELECT * FROM data.orders' } })
    const { result } = capped.structuredContent as { result: string }
    const linked = await client.callTool({ name: 'fetch_result', arguments: { result, format: 'csv' } })
    const link = (linked as TextResult).content.find((block) => block.type === 'resource_link') as unknown as {
      uri: string
    }
    const { contents } = await client.readResource({ uri: link.uri })
    expect((contents[0] as { text: string }).text.split('\n')).toHaveLength(5000)
  })

  it('names the valid arguments when one is unknown', async () => {
    const { client } = await connectStdio(workspace(), era)
    const error = errorOf(await client.callTool({ name: 'query', arguments: { sql: 'SELECT 1', maxrows: 3 } }))
    expect(error).toMatchObject({
      success: false,
      errorType: 'InvalidInputException',
      code: 'server.invalid_arguments',
    })
    expect(error['error']).toMatch(/maxrows.*maxRows/)
    expect(error['hint']).toMatch(/sql, params\?, maxRows\?, timeoutMs\?, saveAs\?, scratch\?/)
  })

  it.each([
    [{}, /sql/],
    [{ sql: 7 }, /sql/],
    [{ sql: 'SELECT 1', maxRows: 0 }, /maxRows/],
    [{ sql: 'SELECT 1', timeoutMs: 1.5 }, /timeoutMs/],
    [{ sql: 'SELECT 1', params: 'x' }, /params/],
  ])('refuses %j', async (args, message) => {
    const { client } = await connectStdio(workspace(), era)
    const error = errorOf(await client.callTool({ name: 'query', arguments: args }))
    expect(error['code']).toBe('server.invalid_arguments')
    expect(error['error']).toMatch(message)
  })

  it('answers errors in text only, with hint, position and query', async () => {
    const { client } = await connectStdio(workspace(), era)
    const syntax = errorOf(await client.callTool({ name: 'query', arguments: { sql: 'SELEC' } }))
    expect(Object.keys(syntax)).toEqual(['success', 'error', 'errorType', 'code', 'hint', 'position', 'queryId'])
    const table = errorOf(await client.callTool({ name: 'describe_table', arguments: { table: 'data.nope' } }))
    expect(table).toMatchObject({ code: 'catalog.unknown_table', errorType: 'CatalogException' })
    expect(table['hint']).toMatch(/data\.accounts/)
  })

  it('tells nothing of an unexpected fault but its class', async () => {
    const { client } = await connectStdio(workspace(), era)
    const text = textOf(await client.callTool({ name: 'query', arguments: { sql: 'CRASH' } }))
    expect(text).toMatch(/internal\.unexpected/)
    expect(text).not.toMatch(/secret|password|at /)
  })

  it('describes a table with each column’s way of filtering', async () => {
    const { client } = await connectStdio(workspace(), era)
    const result = await client.callTool({ name: 'describe_table', arguments: { table: 'data.orders' } })
    expect(result.structuredContent).toMatchObject({
      table: 'data.orders',
      columns: [
        { name: 'id', type: 'BIGINT', filter: 'local' },
        { name: 'owner', type: 'VARCHAR', filter: 'required', operators: ['=', 'in'] },
        { name: 'state', type: 'VARCHAR', filter: 'pushed', operators: ['='], default: 'open' },
      ],
    })
  })

  it('keeps a very wide table and a very long list within bounds, and says what is missing', async () => {
    const wide = memoryTable(
      'wide',
      'sheet',
      Array.from({ length: 5000 }, (_, index) => ({
        name: `column "${index}"`,
        type: 'VARCHAR',
        description: 'x'.repeat(100),
        filtering: { kind: 'local' as const },
      })),
      [],
    )
    const many = Array.from({ length: 60 }, (_, index) =>
      memoryTable('many', `table_${index}`, wide.table.columns.slice(0, 100), []),
    )
    const made = new MemoryWorkspace([wide, ...many])
    open.push(made)
    const { client } = await connectStdio(made, era)
    const table = await client.callTool({ name: 'describe_table', arguments: { table: 'wide.sheet' } })
    expect(escapedLength(table.structuredContent)).toBeLessThanOrEqual(50_000)
    expect(table.structuredContent).toMatchObject({ truncated: true })
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await client.callTool({
        name: 'search_tables',
        arguments: { source: 'many', detail: 'full', limit: 200, ...(cursor === undefined ? {} : { cursor }) },
      })
      const content = page.structuredContent as { tables: { table: string }[]; nextCursor?: string; total: number }
      expect(content.total).toBe(60)
      expect(JSON.stringify(textOf(page)).length - 2).toBeLessThanOrEqual(50_000)
      for (const entry of content.tables) seen.add(entry.table)
      cursor = content.nextCursor
    } while (cursor !== undefined)
    expect(seen.size).toBe(60)
  })

  it('cancels a query of the same caller by its id, and knows no other', async () => {
    const made = workspace()
    const { client } = await connectStdio(made, era)
    const waiting = client.callTool({ name: 'query', arguments: { sql: 'WAIT 0' } })
    await expect.poll(() => made.running).toBe(1)
    const none = errorOf(await client.callTool({ name: 'cancel_query', arguments: { queryId: 'nope' } }))
    expect(none['code']).toBe('state.not_found')
    const done = await client.callTool({ name: 'cancel_query', arguments: { queryId: made.runningId() ?? '' } })
    expect(done.structuredContent).toMatchObject({ cancelled: true })
    expect(errorOf(await waiting)).toMatchObject({ code: 'limit.cancelled', errorType: 'CancelledException' })
  })

  it('stops the query when the client cancels the request', async () => {
    const made = workspace()
    const { client } = await connectStdio(made, era)
    const controller = new AbortController()
    const waiting = client.callTool({ name: 'query', arguments: { sql: 'WAIT 0' } }, { signal: controller.signal })
    waiting.catch(() => undefined)
    await expect.poll(() => made.running).toBe(1)
    controller.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => made.stopped).toEqual(['WAIT 0'])
    expect((await client.callTool({ name: 'query', arguments: { sql: 'SELECT 7' } })).structuredContent).toMatchObject({
      rows: [[7]],
    })
  })

  it('reports progress only to a client that asks for it', async () => {
    const made = workspace()
    const { client } = await connectStdio(made, era)
    const seen: Progress[] = []
    const controller = new AbortController()
    const waiting = client.callTool(
      { name: 'query', arguments: { sql: 'WAIT 3' } },
      { onprogress: (progress) => seen.push(progress), signal: controller.signal },
    )
    waiting.catch(() => undefined)
    await expect.poll(() => seen.length).toBeGreaterThan(1)
    controller.abort()
    expect(seen[0]).toMatchObject({ message: '1 requests to data.orders' })
    expect(seen.every((entry, index) => index === 0 || entry.progress > (seen[index - 1]?.progress ?? 0))).toBe(true)
    const quiet = client.callTool({ name: 'query', arguments: { sql: 'WAIT 1' } })
    quiet.catch(() => undefined)
    await expect.poll(() => made.started.at(-1)?.sql).toBe('WAIT 1')
    expect(made.started.at(-1)?.context.onProgress).toBeUndefined()
  })

  it('calls as the local caller, through its own door, in one session', async () => {
    const made = workspace()
    const { client } = await connectStdio(made, era)
    await client.callTool({ name: 'query', arguments: { sql: 'SELECT 1' } })
    await client.callTool({ name: 'query', arguments: { sql: 'SELECT 2' } })
    const [first, second] = made.started.map((entry) => entry.context)
    expect(first?.caller.id).toBe('local')
    expect(first?.surface).toBe('mcp-stdio')
    expect(first?.session).toBeDefined()
    expect(first?.session).toBe(second?.session)
  })

  it('refuses an unknown tool as a protocol error that names the tools', async () => {
    const { client } = await connectStdio(workspace(), era)
    await expect(client.callTool({ name: 'drop_everything' })).rejects.toThrow(/search_tables, describe_table, query/)
  })

  it('offers resources page by page, templates and completion', async () => {
    const many = Array.from({ length: 250 }, (_, index) =>
      memoryTable('many', `table ${index}`, accounts.table.columns, []),
    )
    const made = new MemoryWorkspace([...many, accounts])
    open.push(made)
    const { client } = await connectStdio(made, era)
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(252)
    expect(resources[0]?.uri).toBe('querent://guide')
    const spaced = resources.find((resource) => resource.name === 'many."table 7"')
    const { contents } = await client.readResource({ uri: spaced?.uri ?? '' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ table: 'many."table 7"' })
    await expect(client.readResource({ uri: 'querent://nothing' })).rejects.toThrow()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map((template) => template.uriTemplate)).toContain('querent://tables/{name}')
    const names = await client.complete({
      ref: { type: 'ref/resource', uri: 'querent://tables/{name}' },
      argument: { name: 'name', value: 'data.acc' },
    })
    expect(names.completion.values).toEqual(['data.accounts'])
    const all = await client.complete({
      ref: { type: 'ref/prompt', name: 'explore_table' },
      argument: { name: 'table', value: '' },
    })
    expect(all.completion).toMatchObject({ total: 251, hasMore: true })
    expect(all.completion.values).toHaveLength(100)
  })

  it('offers prompts and refuses arguments they do not take', async () => {
    const { client } = await connectStdio(workspace(), era)
    const { prompts } = await client.listPrompts()
    expect(prompts.map((prompt) => prompt.name)).toEqual(['ask_data', 'explore_table'])
    const prompt = await client.getPrompt({ name: 'ask_data', arguments: { question: 'Who owes most?' } })
    expect(JSON.stringify(prompt.messages)).toMatch(/Who owes most\?/)
    await expect(client.getPrompt({ name: 'ask_data', arguments: { query: 'x' } })).rejects.toThrow(/question/)
  })

  it('announces a change of the catalog', async () => {
    const made = workspace()
    let changes = 0
    const { client } = await connectStdio(made, era, {
      client: { listChanged: { resources: { autoRefresh: false, onChanged: () => (changes += 1) } } },
    })
    await client.listResources()
    made.change()
    await expect.poll(() => changes).toBe(1)
  })
})
