import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { QuerentError } from '../../src/errors/querent-error.js'
import { isTreeNode, type TreeNode } from '../../src/model/tree.js'
import { checkTree } from '../../src/policy/check-tree.js'
import { checkWritePlan } from '../../src/policy/check-write-plan.js'
import { checkWrite } from '../../src/policy/check-write.js'
import { fileReferenceOf } from '../../src/policy/file-reference.js'
import { answerPivot, nextPivotQuestion } from '../../src/policy/pivot-question.js'
import { userPosition, type ParsedText } from '../../src/policy/position.js'
import { classifyStatement, refuseWrite, type WriteForm } from '../../src/policy/statement.js'
import { parseLossless, stringifyLossless } from '../../src/util/lossless-json.js'
import { readSetup } from './read-corpus.js'

/** A refusal's code, or the tree that may go on. */
export type Verdict = { readonly refused: string } | { readonly passed: TreeNode } | { readonly passedWrite: string }

/** A policy with a resolver that knows the corpus' tables and files alone, over a hardened DuckDB. */
export class Judge {
  private constructor(
    readonly directory: string,
    private readonly instance: DuckDBInstance,
    readonly connection: DuckDBConnection,
    private readonly known: ReadonlySet<string>,
  ) {}

  static async open(): Promise<Judge> {
    const directory = mkdtempSync(join(tmpdir(), 'querent-corpus-'))
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(readSetup())
    await connection.run("ATTACH ':memory:' AS other; CREATE TABLE other.z (a INTEGER)")
    writeFileSync(join(directory, 'people.csv'), 'id,name\n1,Ada\n2,Grace\n')
    writeFileSync(join(directory, 'people.json'), '{"id": 1, "name": "Ada"}\n{"id": 2, "name": "Grace"}\n')
    await connection.run(`COPY customers TO '${directory}/people.parquet'`)
    const files = ['people.csv', 'people.json', 'people.parquet'].map((name) => join(directory, name))
    await connection.run(`SET allowed_paths = [${files.map((file) => `'${file}'`).join(', ')}]`)
    await connection.run("SET TimeZone = 'UTC'; SET enable_external_access = false; SET lock_configuration = true")
    const tables = await connection.runAndReadAll(
      "SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE database_name = 'memory'",
    )
    const names = tables.getRowsJson().map((row) => JSON.stringify(row[0]).slice(1, -1))
    const known = new Set([...names, 'information_schema.tables', 'information_schema.columns', ...files])
    return new Judge(directory, instance, connection, known)
  }

  close(): void {
    this.connection.closeSync()
    this.instance.closeSync()
    rmSync(this.directory, { recursive: true })
  }

  async judge(sql: string, write = false): Promise<Verdict> {
    try {
      const form = classifyStatement(sql)
      if (form.kind !== 'write') return await this.judgeQuery(form)
      return write ? await this.judgeWrite(sql, form) : refuseWrite(form)
    } catch (error) {
      if (error instanceof QuerentError) return { refused: error.code }
      throw error
    }
  }

  async run(tree: TreeNode, params: readonly string[]): Promise<readonly string[]> {
    const [sql] = await this.rows('SELECT json_deserialize_sql($1::JSON)', [stringifyLossless(tree)])
    return this.sorted(String(sql?.[0]), params)
  }

  async sorted(sql: string, params: readonly string[]): Promise<readonly string[]> {
    const values = Object.fromEntries(params.map((name) => [name, name === 'region' ? 'north' : 2]))
    const reader = await this.connection.runAndReadAll(sql, params.length === 0 ? undefined : values)
    return reader
      .getRowsJson()
      .map((row) => JSON.stringify(row))
      .sort()
  }

  /** What the statement does to its own database, undone at once: its answer and every table's rows after it. */
  async outcome(sql: string): Promise<readonly unknown[]> {
    await this.connection.run('BEGIN')
    try {
      const parameters = [...sql.matchAll(/\$(\d+|name)|\?/g)].map((match, index) => match[1] ?? String(index + 1))
      const answer = await this.sorted(sql, [...new Set(parameters)])
      const tables = await this.rows("SELECT schema_name || '.\"' || table_name || '\"' FROM duckdb_tables() WHERE database_name = 'memory'", [])
      const contents: unknown[] = []
      for (const [table] of tables) contents.push(await this.sorted(`SELECT count(*), hash(t) FROM ${String(table)} t GROUP BY ALL`, []))
      return [answer, tables, contents]
    } finally {
      await this.connection.run('ROLLBACK')
    }
  }

  private async judgeQuery(form: ParsedText): Promise<Verdict> {
    let tree = await this.parse(form)
    for (let question = nextPivotQuestion(tree); question !== undefined; question = nextPivotQuestion(tree)) {
      const checked = checkTree(question.tree)
      if (this.isUnknown(checked.tree)) return { refused: 'reference' }
      const rows = await this.run(checked.tree, checked.parameters)
      const values = rows.map((row) => (JSON.parse(row) as string[])[0] ?? '')
      tree = answerPivot(tree, question, values)
    }
    const checked = checkTree(tree, { text: form })
    return this.isUnknown(checked.tree) ? { refused: 'reference' } : { passed: checked.tree }
  }

  private async judgeWrite(sql: string, form: WriteForm): Promise<Verdict> {
    const checked = checkWrite(sql, form)
    const [row] = await this.rows(
      'SELECT json_serialize_plan($1::VARCHAR, skip_null := true, skip_default := true, optimize := false)',
      [checked.sql],
    )
    checkWritePlan(String(row?.[0]), { statement: checked.statement, database: 'memory' })
    return { passedWrite: checked.sql }
  }

  private async parse(form: ParsedText): Promise<TreeNode> {
    const [row] = await this.rows(
      'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_default := true)',
      [form.sql],
    )
    const tree = parseLossless(String(row?.[0]))
    if (!isTreeNode(tree)) throw new TypeError('json_serialize_sql printed no object')
    if (tree['error'] === true) {
      const position = userPosition(form, Number(tree['position'] ?? 0))
      throw new QuerentError('sql.syntax', { message: String(tree['error_message']) }, { position })
    }
    return tree
  }

  private async rows(sql: string, values: readonly string[]): Promise<readonly (readonly unknown[])[]> {
    return (await this.connection.runAndReadAll(sql, [...values])).getRowsJson()
  }

  /** Whether a reference is to no table or file of the corpus. Names of common table expressions count as known. */
  private isUnknown(tree: TreeNode): boolean {
    const commonTables = new Set<string>()
    const names: string[] = []
    const open: unknown[] = [tree]
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (Array.isArray(value)) open.push(...(value as readonly unknown[]))
      if (!isTreeNode(value)) continue
      open.push(...Object.values(value).filter((item) => item !== null && item !== undefined))
      names.push(...(fileReferenceOf(value)?.paths ?? []))
      if (typeof value['key'] === 'string') commonTables.add(value['key'].toLowerCase())
      if (value['type'] === 'BASE_TABLE') names.push(nameOf(value))
    }
    return names.some((name) => !this.known.has(name) && !this.known.has(`main.${name}`) && !commonTables.has(name))
  }
}

function nameOf(node: TreeNode): string {
  const parts = [node['catalog_name'], node['schema_name'], node['table_name']]
  const name = parts.filter((part) => typeof part === 'string').join('.')
  return name.includes('/') ? name : name.toLowerCase()
}
